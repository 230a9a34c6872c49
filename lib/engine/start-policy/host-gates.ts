/** What the host has to offer: a pool, isolation, an agent that has passed its canary. */
import type { HostWait } from '../statuses';
import type { StartFacts } from './facts';
import type { ClosedGate } from './gate';

export function poolGate({ missingPool }: StartFacts): ClosedGate | null {
  if (missingPool === null) return null;
  return {
    code: 'NO_POOL',
    because: `there is no runner pool named ${missingPool}`,
    remedy: 'Add a runner to it, or choose another pool.',
    ends: 'person',
    waitReason: null,
  };
}

export function confinementGate({ tier, unconfined }: StartFacts): ClosedGate | null {
  if (unconfined === null) return null;
  const { runner, why, fix, elsewhere, others } = unconfined;
  if (elsewhere.length > 0) {
    return {
      code: 'CONFINED_ELSEWHERE',
      because: `this project is confined, and tier ${tier} has to start on runner ${elsewhere.join(' or ')}, because runner ${runner} can’t confine agents`,
      remedy: 'It starts once a slot is free there.',
      ends: 'passes',
      waitReason: 'isolation',
    };
  }
  return {
    code: 'NOT_CONFINED',
    because: `this project is confined, and runner ${runner} can’t confine agents`,
    remedy: [others, why, fix].filter(Boolean).join(' '),
    ends: 'person',
    waitReason: null,
  };
}

/**
 * How long a tier waits for a runner whose agent has passed its canary. A runner repeats one that failed
 * every five minutes.
 */
export const PROOF_WAIT_MINUTES = 15;

/**
 * How long a tier waits for a runner that can confine agents, once another one has left it to that: longer
 * than a tier runs by default, so that a busy host has had a free slot by then.
 */
export const ISOLATION_WAIT_MINUTES = 30;

const WAIT_MINUTES: Record<HostWait, number> = {
  canary: PROOF_WAIT_MINUTES,
  isolation: ISOLATION_WAIT_MINUTES,
};

/** Returns when a tier that begins to wait for such a host now has waited too long. */
export function hostDueAt(wait: HostWait, now: Date): Date {
  return new Date(now.getTime() + WAIT_MINUTES[wait] * 60_000);
}

export function canaryGate({ unproven }: Pick<StartFacts, 'unproven'>): ClosedGate | null {
  if (unproven === null) return null;
  const { runner, agent, detail, isRunnerTooOld = false } = unproven;
  const waiting = { ends: 'passes', waitReason: 'canary' } as const;
  if (isRunnerTooOld) {
    return {
      ...waiting,
      // As after a failure, another runner of the pool may start it.
      code: 'CANARY_FAILED',
      because: `the version of runner ${runner} is too old to prove that ${agent} refuses forbidden commands`,
      remedy: 'Update the runner, or connect another one.',
    };
  }
  if (detail === null) {
    return {
      ...waiting,
      code: 'CANARY_PENDING',
      because: `${agent} on runner ${runner} hasn’t proven yet that it refuses forbidden commands`,
      remedy: 'That takes a few seconds.',
    };
  }
  return {
    ...waiting,
    code: 'CANARY_FAILED',
    because: `the canary of ${agent} failed on runner ${runner} (${detail.replace(/\.$/, '')})`,
    remedy: 'Install another version there, or connect another runner.',
  };
}
