import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import type { Holds } from '@/lib/engine/holds/schema';

/** An acknowledgement without an end does not outlive this, whatever its services do. */
const LONGEST_IN_HAND_DAYS = 30;
const DAY_MS = 86_400_000;

const holdsSchema: z.ZodType<Holds> = z.object({
  tierPauses: z.array(z.object({ tier: z.number(), by: z.string(), since: z.coerce.date() })),
  snoozes: z.array(z.object({ service: z.string(), until: z.coerce.date() })),
  inHand: z.array(z.object({ service: z.string(), by: z.string(), chainNumber: z.number() })),
});

/** One JSON column for a statement in which `p` is the project. Read it with `toHolds`. */
export function holdsColumn(now: Date): Prisma.Sql {
  const oldest = new Date(now.getTime() - LONGEST_IN_HAND_DAYS * DAY_MS);
  return Prisma.sql`jsonb_build_object(
    'tierPauses', (select coalesce(jsonb_agg(jsonb_build_object('tier', t.tier, 'by', t.paused_by, 'since', t.paused_at)), '[]')
      from tier_pause t where t.organization_id = p.organization_id and t.project_id = p.id),
    'snoozes', (select coalesce(jsonb_agg(jsonb_build_object('service', v.name, 'until', v.snoozed_until)), '[]')
      from service v where v.organization_id = p.organization_id and v.project_id = p.id
        and v.snoozed_until > ${now}::timestamptz),
    'inHand', (select coalesce(jsonb_agg(jsonb_build_object('service', v.name, 'by', k.acknowledged_by, 'chainNumber', k.number)), '[]')
      from chain k
      join service v on v.organization_id = k.organization_id and v.project_id = k.project_id
        and v.name = any(k.services_affected)
      where k.organization_id = p.organization_id and k.project_id = p.id
        and k.acknowledged_at > ${oldest}::timestamptz
        and (k.acknowledgement_ends_at is null or k.acknowledgement_ends_at > ${now}::timestamptz)
        -- Found healthy since, it is in nobody's hands any more.
        and not exists (select 1 from service_health h where h.organization_id = v.organization_id
          and h.service_id = v.id and h.status = 'healthy' and h.at > k.acknowledged_at)))`;
}

export function toHolds(column: unknown): Holds {
  return holdsSchema.parse(column);
}
