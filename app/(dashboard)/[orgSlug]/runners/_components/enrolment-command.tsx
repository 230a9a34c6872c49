'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { Spinner } from '@/app/_components/ui/spinner';
import type { KnownRunner } from './enrolment';

/** How often the page is asked again while somebody waits for the runner. */
const LOOK_MS = 3_000;

export interface OpenToken {
  token: string;
  url: string;
  pool: string;
  expiresAt: string;
  /** Runners that were there before it. */
  knownIds: readonly string[];
}

interface EnrolmentCommandProps {
  token: OpenToken;
  runners: readonly KnownRunner[];
  onDone?: (() => void) | undefined;
}

/** The command with its token, shown this once; says when the runner is there. */
export function EnrolmentCommand({ token, runners, onDone }: EnrolmentCommandProps) {
  const router = useRouter();
  const joined = runners.find(
    (runner) => runner.pool === token.pool && !token.knownIds.includes(runner.id),
  );
  const isConnected = joined?.isOnline ?? false;

  useEffect(() => {
    if (isConnected) return;
    const timer = setInterval(() => router.refresh(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isConnected, router]);

  const command = `export TIERWATCH_URL=${token.url} && npm run tierwatch -- runner enrol --token ${token.token} && npm run tierwatch -- runner start`;
  return (
    <div className="flex flex-col gap-3">
      {isConnected ? null : (
        <>
          <p className="text-text-2">
            Run this on the host, in a checkout of Tierwatch. The token lets one runner in, is shown
            this once, and ends <Time at={token.expiresAt} />.
          </p>
          <CodeBlock label="command" value={command}>
            {command}
          </CodeBlock>
        </>
      )}
      <div role="status" className="flex min-h-8 flex-wrap items-center gap-2 text-ui">
        {isConnected && joined ? (
          <>
            <StatusBadge kind="runner" state="online" />
            <span>
              Connected: {joined.name}, pool {joined.pool}
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
