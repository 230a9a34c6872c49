import type { RunnerDto } from '@/lib/fleet/schema';
import type { UnprovenFact } from '../start-policy/facts';

/** A runner of the pool, as far as the start of one attempt is concerned. */
export interface PoolHost {
  id: string;
  name: string;
  status: RunnerDto['status'];
  allowsTier: boolean;
  /** Its version can't parse such a start. */
  isTooOld: boolean;
  /** The version of its agent's CLI is on a denylist. */
  isCliDenied: boolean;
  /** False: the project is confined, and its host can't confine agents. */
  canConfine: boolean;
  /** What its agent has still to prove for this start; null: nothing. */
  unproven: UnprovenFact | null;
}

const HELD: Partial<Record<RunnerDto['status'], string>> = {
  draining: 'is drained',
  paused: 'is paused',
  revoked: 'is revoked',
};

/**
 * Returns what keeps a host from starting the attempt until a person acts or the host is back, as the
 * end of a sentence; null: nothing. A canary that has not ended keeps it for seconds.
 */
export function obstacleOf(host: PoolHost): string | null {
  const { status, allowsTier, isTooOld, isCliDenied, canConfine, unproven } = host;
  if (status !== 'online') return HELD[status] ?? 'is offline';
  if (!allowsTier) return 'doesn’t allow the tier';
  if (isTooOld) return 'is too old for it';
  if (isCliDenied) return 'has a denied version of the agent’s CLI';
  if (!canConfine) return 'can’t confine agents';
  return unproven !== null && unproven.detail !== null ? 'hasn’t passed the canary' : null;
}

/** Returns whether a host may start the attempt, now or once its canary has passed. */
export function isFit(host: PoolHost): boolean {
  return obstacleOf(host) === null;
}

/** Returns whether a host may start the attempt now. */
export function isAble(host: PoolHost): boolean {
  return isFit(host) && host.unproven === null;
}
