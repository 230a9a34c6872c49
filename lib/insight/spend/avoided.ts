/** How many chains checks without an agent made unnecessary. */

import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { formatCount, formatCounted } from '@/lib/platform/format/count';

const rowSchema = z.object({ hours: z.number(), quiet: z.number() });

/** Whole UTC hours in which checks reported. `quiet`: those of them in which no chain started. */
export type AvoidedFigures = z.infer<typeof rowSchema>;

/**
 * Returns in how many hours the project's checks reported, and in how many of these no chain started.
 *
 * @param input.projectId UUID
 */
export function getAvoidedFigures(
  { organizationId, ...scope }: TenantScope,
  { projectId, from, to }: { projectId: string; from: Date; to: Date },
): Promise<AvoidedFigures> {
  return inTransaction({ organizationId, ...scope }, async (db) => {
    const [row] = await queryRaw<unknown>(
      db,
      Prisma.sql`select count(*)::int as hours, count(*) filter (where not exists (
          select from chain where organization_id = ${organizationId}::uuid and project_id = ${projectId}::uuid
            and created_at >= hour and created_at < hour + interval '1 hour'
            and outcome is distinct from 'skipped'))::int as quiet
        from (
          select distinct h.hour from service_check c
          join check_hour h on h.organization_id = c.organization_id and h.check_id = c.id
          where c.organization_id = ${organizationId}::uuid and c.project_id = ${projectId}::uuid
            and h.hour >= ${from}::timestamptz and h.hour < ${to}::timestamptz) hours`,
    );
    return rowSchema.parse(row);
  });
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
