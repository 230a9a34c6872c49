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
  /** Every pool, with or without a runner. */
  pools: string[];
  /** Tokens that nobody has used yet. */
  enrolments: OpenEnrolment[];
  /** Attempts that wait, by pool. */
  waiting: ReadonlyMap<string, number>;
}

/** What stands around the list of runners. */
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

/** The newest attempts of a runner (`rnr_…`), those in hand among them. */
export function listRunnerWork(scope: TenantScope, runnerId: string): Promise<RunnerAttemptRow[]> {
  const id = requireId('rnr', runnerId);
  return inTransaction(scope, (db) => listAttemptsOfRunner(db, id, RECENT_ATTEMPTS));
}
