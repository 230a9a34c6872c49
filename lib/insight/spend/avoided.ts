/** How many chains checks without an agent made unnecessary. */
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { formatCount, formatCounted } from '@/lib/platform/format/count';
import { countCheckedHours } from './data';

/** Whole UTC hours in which checks reported. `quiet`: those of them in which no chain started. */
export interface AvoidedFigures {
  hours: number;
  quiet: number;
}

/**
 * Returns in how many hours the project's checks reported, and in how many of these no chain started.
 *
 * @param input.projectId UUID
 */
export function getAvoidedFigures(
  scope: TenantScope,
  { projectId, from, to }: { projectId: string; from: Date; to: Date },
): Promise<AvoidedFigures> {
  const { organizationId } = scope;
  return inTransaction(scope, (db) =>
    countCheckedHours(db, { organizationId, projectId, from, to }),
  );
}

/**
 * "Checks ran without an agent in 720 hours of the last 30 days. An hourly schedule would have started 708 more
 * chains."
 */
export function avoidedSentence({ hours, quiet }: AvoidedFigures, spanWords: string): string {
  if (hours === 0) return `No check ran without an agent in ${spanWords}.`;
  const ran = `Checks ran without an agent in ${formatCounted(hours, 'hour')} of ${spanWords}.`;
  return quiet === 0
    ? `${ran} A chain started in each of them.`
    : `${ran} An hourly schedule would have started ${formatCount(quiet)} more ${quiet === 1 ? 'chain' : 'chains'}.`;
}
