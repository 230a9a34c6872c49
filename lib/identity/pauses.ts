import { z } from 'zod';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { InvalidError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import type { AuditAction } from './audit/actions';
import { recordAudit } from './audit/record-audit';
import { scopeOfSystem } from './tenancy/make-scope';

export const NOT_PAUSED: PauseColumns = {
  pausedAt: null,
  pausedBy: null,
  pauseReason: null,
  pauseEndsAt: null,
};

/**
 * Returns the columns of a new pause.
 *
 * @throws InvalidError for an end that makes no sense
 */
export function pausedColumns(scope: TenantScope, pause: PauseInput, now: Date) {
  const pauseEndsAt = pause.endsAt ?? null;
  checkEndsAt(pauseEndsAt, now);
  return { pausedAt: now, pausedBy: scope.actor.label, pauseReason: pause.reason, pauseEndsAt };
}

const DAY_MS = 86_400_000;
const LONGEST_PAUSE_DAYS = 365;

/**
 * Refuses an end that has passed, or is so far away that nobody would remember it.
 *
 * @throws InvalidError for the field `endsAt`
 */
export function checkEndsAt(
  endsAt: Date | null,
  now: Date,
  longestDays = LONGEST_PAUSE_DAYS,
  field = 'endsAt',
): void {
  if (endsAt === null) return;
  const aheadMs = endsAt.getTime() - now.getTime();
  if (aheadMs > 0 && aheadMs <= longestDays * DAY_MS) return;
  const message =
    aheadMs > 0
      ? `The end is too far in the future. Choose a time within the next ${longestDays} days.`
      : 'The end has passed. Choose a time in the future, or none.';
  throw new InvalidError(message, { [field]: message });
}

/** `minutes` from now on; null stays null. */
export function endsAfter(minutes: number | null, now: Date): Date | null {
  return minutes === null ? null : new Date(now.getTime() + minutes * 60_000);
}

/** Its columns, the same in every table. */
export interface PauseColumns {
  pausedAt: Date | null;
  pausedBy: string | null;
  pauseReason: string | null;
  /** When it ends automatically; null: when someone resumes. */
  pauseEndsAt: Date | null;
}

/** A pause of an organization, a project, a tier or a runner. */
export const pauseSchema = z.object({
  at: z.string(),
  by: z.string(),
  reason: z.string().meta({ description: 'Shown next to who did it and when.' }),
  endsAt: z
    .string()
    .nullable()
    .meta({ description: 'When it ends automatically; null: when someone ends it.' }),
});
export type PauseDto = z.infer<typeof pauseSchema>;

export interface PauseInput {
  reason: string;
  endsAt?: Date | null;
}

export function toPauseDto(row: PauseColumns): PauseDto | null {
  return (
    row.pausedAt && {
      at: row.pausedAt.toISOString(),
      by: row.pausedBy ?? '',
      reason: row.pauseReason ?? '',
      endsAt: row.pauseEndsAt?.toISOString() ?? null,
    }
  );
}

/** Maximum number of expired pauses per sweep; the next sweep handles the rest. */
export const ENDED_PAUSES_PER_SWEEP = 500;

export interface EndedPause {
  organizationId: string;
  /** UUID of what is paused; for a tier, of its project. */
  id: string;
  name: string;
  /** Set for the pause of a tier. */
  tier?: number;
}

/** The audit action that ends such a pause, and the prefix of the ID that the entry names. */
interface Resumption {
  action: AuditAction;
  prefix: 'org' | 'prj' | 'rnr';
}

/**
 * Ends pauses whose time is over, each in a transaction of its own with its audit entry.
 *
 * @param end ends one pause; false if someone has resumed it, or paused it again, in between
 * @returns how many pauses were dealt with
 */
export function endPausesInTurn<Pause extends EndedPause>(
  { action, prefix }: Resumption,
  ended: readonly Pause[],
  end: (db: TenantDb, pause: Pause) => Promise<boolean>,
): Promise<number> {
  return forEachRowIsolated('pauses', ended, (pause) => {
    const scope = scopeOfSystem(pause.organizationId, 'Pause clock');
    return inTransaction(scope, async (db) => {
      if (!(await end(db, pause))) return;
      const { id, name, tier } = pause;
      await recordAudit(db, scope, {
        action,
        target: encodeId(prefix, id),
        detail: {
          name,
          ...(tier === undefined ? {} : { tier }),
          reason: 'Its end time was reached.',
        },
      });
    });
  });
}
