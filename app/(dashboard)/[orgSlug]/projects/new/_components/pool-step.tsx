'use client';

import { StatusBadge } from '@/app/_components/status/status-badge';
import { DocLink } from '@/app/_components/ui/doc-link';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import {
  Enrolment,
  type KnownRunner,
} from '@/app/(dashboard)/[orgSlug]/runners/_components/enrolment';
import type { AgentInfo } from '@/lib/agents/registry';

export interface WizardRunner extends KnownRunner {
  /** Which agents it could start, and if not why. */
  agents: readonly { name: string; isUsable: boolean; problem: string | null }[];
  /** Agents of tiers above 1, as it last reported. */
  canConfine: boolean;
  /** Why it can't, and what to do; empty where it can. */
  why: string;
  fix: string;
}

interface PoolStepProps {
  organizationSlug: string;
  pool: string;
  pools: readonly string[];
  runners: readonly WizardRunner[];
  agents: readonly AgentInfo[];
  error: string | undefined;
  onChange: (pool: string) => void;
}

/** A pool that has a runner, or the one command that brings one. */
export function PoolStep(props: PoolStepProps) {
  const { organizationSlug, pool, pools, runners, agents, error, onChange } = props;
  const online = runners.filter((runner) => runner.pool === pool && runner.isOnline);
  return (
    <>
      <Field
        id="runnerPool"
        label="Runner pool"
        hint="A runner is a small process on your host that starts the agent. It only makes outgoing connections."
        error={error}
        className="max-w-80"
      >
        <Input
          list="pools"
          autoComplete="off"
          value={pool}
          onChange={(event) => onChange(event.target.value)}
        />
        <datalist id="pools">
          {pools.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </Field>
      {online.length > 0 ? (
        <p role="status" className="flex flex-wrap items-center gap-2 text-ui">
          <StatusBadge kind="runner" state="online" />
          Connected: {online.map((runner) => runner.name).join(', ')}
        </p>
      ) : (
        <div className="flex flex-col gap-3">
          <p className="text-text-2 text-ui">
            No runner of pool {pool || 'this name'} is online, so nothing is checked until one is.
            Connect one now, or start and let the first chain wait for it.
          </p>
          <Enrolment
            key={pool}
            organizationSlug={organizationSlug}
            pools={pools}
            runners={runners}
            agents={agents}
            fixedPool={pool}
          />
        </div>
      )}
      <p className="max-w-prose text-text-2 text-ui">
        {isolationNote(runners.filter((runner) => runner.pool === pool))}{' '}
        <DocLink to="tiers-and-policies#isolation">What isolation does</DocLink>
      </p>
    </>
  );
}

/** What the page of a new project says about its isolation. */

interface PoolRunner {
  name: string;
  canConfine: boolean;
  /** Sentences; empty where it can. */
  why: string;
  fix: string;
}

/**
 * Returns what a new project in a pool begins with, as `newProjectConfig` decides it.
 *
 * @param runners every runner of the pool, without revoked ones
 */
export function isolationNote(runners: readonly PoolRunner[]): string {
  const others = runners.filter(({ canConfine }) => !canConfine);
  const [first] = others;
  if (runners.length === 0) {
    return 'Its agents will run unconfined unless a runner of this pool can confine agents when you create the project. Connect it first, or turn isolation on later in the settings.';
  }
  if (others.length === runners.length) {
    const reason = [first?.why, first?.fix].filter(Boolean).join(' ');
    return `Its agents will run unconfined, with the rights of the runner’s account: ${named(others)} can’t confine them. ${reason}`.trim();
  }
  const start = 'The project will be confined: its agents run in a sandbox.';
  return first ? `${start} It can’t start on ${named(others)}. ${first.why}`.trim() : start;
}

function named(runners: readonly PoolRunner[]): string {
  return runners.map(({ name }) => name).join(', ');
}
