import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import {
  countWaiting,
  listAttemptsOfRunner,
  listOpenTokens,
  listPoolNames,
  type RunnerAttemptRow,
} from './data';

const RECENT_ATTEMPTS = 20;

interface OpenEnrolment {
  pool: string;
  createdBy: string;
  expiresAt: Date;
}

interface FleetAround {
  /** Every pool, with or without runners. */
  pools: string[];
  /** Tokens that nobody has used yet. */
  enrolments: OpenEnrolment[];
  /** Number of waiting attempts per pool. */
  waiting: ReadonlyMap<string, number>;
}

/**
 * Returns the pools, open tokens and waiting work that the page shows beside the list of runners.
 */
export function getFleetAround(scope: TenantScope, now = new Date()): Promise<FleetAround> {
  return inTransaction(scope, async (db) => {
    const tokens = await listOpenTokens(db, now);
    return {
      pools: await listPoolNames(db),
      enrolments: tokens.map(({ pool, createdBy, expiresAt }) => {
        return { pool: pool.name, createdBy, expiresAt };
      }),
      waiting: await countWaiting(db),
    };
  });
}

/** Returns the newest attempts of a runner (`rnr_…`), including those in progress. */
export function listRunnerWork(scope: TenantScope, runnerId: string): Promise<RunnerAttemptRow[]> {
  const id = requireId('rnr', runnerId);
  return inTransaction(scope, (db) => listAttemptsOfRunner(db, id, RECENT_ATTEMPTS));
}
