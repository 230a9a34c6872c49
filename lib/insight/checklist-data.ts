import { z } from 'zod';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

const factsSchema = z.object({
  isDismissed: z.boolean(),
  /** A runner has connected once, and isn't revoked. */
  hasRunner: z.boolean(),
  /** A chain has ended by itself. */
  hasChain: z.boolean(),
  /** A channel or an endpoint that is on. */
  hasRecipient: z.boolean(),
  /** A project lets tier 2 start. */
  hasTier2: z.boolean(),
  /** A second member, or an open invitation. */
  hasColleague: z.boolean(),
  /** The oldest project that only observes, or else the oldest; null without one. */
  project: z.object({ slug: z.string(), name: z.string() }).nullable(),
});
export type ChecklistFacts = z.infer<typeof factsSchema>;

/** Everything the checklist is made from, in one query; each part stops at the first row that fits. */
export async function getChecklistFacts(db: TenantDb, now: Date) {
  const rows = await sqlRows(db)`
    with tiers as (
      select p.id, p.slug, p.name, coalesce((v.config->>'maxTier')::int, 1) as max_tier
      from project p join project_version v
        on v.organization_id = p.organization_id and v.project_id = p.id and v.version = p.current_version)
    select o.checklist_dismissed_at is not null as "isDismissed",
      exists (select from runner where revoked_at is null and last_seen_at is not null) as "hasRunner",
      exists (select from chain where outcome is not null and outcome not in ('skipped', 'stopped')) as "hasChain",
      exists (select from notification_channel where disabled_at is null)
        or exists (select from webhook_endpoint where disabled_at is null) as "hasRecipient",
      exists (select from tiers where max_tier >= 2) as "hasTier2",
      (select count(*) > 1 from membership)
        or exists (select from invitation where accepted_at is null and revoked_at is null
          and expires_at > ${now}::timestamptz) as "hasColleague",
      (select json_build_object('slug', slug, 'name', name) from tiers
        order by max_tier >= 2, id limit 1) as project
    from organization o`;
  return factsSchema.array().parse(rows)[0];
}
