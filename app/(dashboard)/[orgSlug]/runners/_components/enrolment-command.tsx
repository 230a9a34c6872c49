'use client';

import { useEffect } from 'react';
import { reportChange } from '@/app/_components/shell/live-hold';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { Spinner } from '@/app/_components/ui/spinner';
import type { AgentInfo } from '@/lib/agents/registry';
import type { EnrolmentDto } from '@/lib/fleet/schema';
import type { KnownRunner } from './enrolment';

/** The page is live by itself; this finds the runner also while its stream is broken. */
const LOOK_MS = 3_000;

interface EnrolmentCommandProps {
  token: Pick<EnrolmentDto, 'id' | 'command' | 'expiresAt'>;
  runners: readonly KnownRunner[];
  agents: readonly Pick<AgentInfo, 'uses'>[];
  onDone?: (() => void) | undefined;
}

/** The command with its token, shown this once; says when the runner is there. */
export function EnrolmentCommand({ token, runners, agents, onDone }: EnrolmentCommandProps) {
  const joined = runners.find((runner) => runner.enrolmentId === token.id);
  const isConnected = joined?.isOnline ?? false;

  useEffect(() => {
    if (isConnected) return;
    const timer = setInterval(reportChange, LOOK_MS);
    return () => clearInterval(timer);
  }, [isConnected]);

  return (
    <div className="flex flex-col gap-3">
      {isConnected ? null : (
        <>
          <p className="text-text-2">
            Run this on the host, in a checkout of Tierwatch (Node 20 or newer, npm ci). It needs no
            inbound port and no login but this token, which lets one runner in, is shown this once,
            and ends <Time at={token.expiresAt} />.
          </p>
          <CodeBlock label="command" value={token.command}>
            {token.command}
          </CodeBlock>
          <p className="text-text-2 text-ui">
            {agents.flatMap(({ uses }) => uses || []).join(' ')} The same command starts the runner
            again later; the key is kept on the host.
          </p>
        </>
      )}
      <div role="status" className="flex min-h-8 flex-wrap items-center gap-2 text-ui">
        {isConnected && joined ? (
          <>
            <StatusBadge kind="runner" state="online" />
            <span>
              Connected: {joined.name}, pool {joined.pool}, just now
            </span>
          </>
        ) : joined ? (
          <>
            <Spinner />
            <span className="text-text-2">
              {joined.name} is enrolled. Waiting for its first word.
            </span>
          </>
        ) : (
          <>
            <Spinner />
            <span className="text-text-2">Waiting for the runner.</span>
          </>
        )}
      </div>
      {onDone && isConnected ? (
        <Button look="primary" onClick={onDone} className="self-start">
          Done
        </Button>
      ) : null}
    </div>
  );
}
