import { Prisma } from '@/generated/prisma/client';
import { executeRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { CheckResultEvent } from '@/lib/protocol/events';

/**
 * Stores what the runner measured: the service's state now, and the chain's row of its history.
 * In one statement for all services, since a hop waits for it.
 */
export async function recordCheckResults(
  db: TenantDb,
  organizationId: OrganizationId,
  at: { projectId: string; chainId: string; now: Date },
  results: readonly CheckResultEvent[],
): Promise<void> {
  if (results.length === 0) return;
  const names = [...new Set(results.map((result) => result.service))];
  const said = names.map((name) => ({
    name,
    ...worstOf(results.filter((result) => result.service === name)),
  }));
  await executeRaw(
    db,
    Prisma.sql`with said as (
        select * from jsonb_to_recordset(${JSON.stringify(said)}::jsonb)
          as t(name text, status text, error text, "responseTimeMs" int)
      ), stated as (
        update service s set status = said.status, last_error = said.error, last_checked_at = ${at.now},
          status_since = case when s.status = said.status then s.status_since else ${at.now} end
        from said
        where s.organization_id = ${organizationId}::uuid and s.project_id = ${at.projectId}::uuid
          and s.name = said.name and s.removed_at is null
        returning s.id, said.status, said.error, said."responseTimeMs"
      )
      insert into service_health as h
        (organization_id, service_id, chain_id, status, status_before, error, response_time_ms, at)
      select ${organizationId}::uuid, id, ${at.chainId}::uuid, status, status, error, "responseTimeMs", ${at.now}::timestamptz
      from stated
      on conflict (organization_id, service_id, chain_id) do update
        set status = excluded.status, error = excluded.error,
          response_time_ms = excluded.response_time_ms, at = excluded.at`,
  );
}

type Verdict = Pick<CheckResultEvent, 'status' | 'error' | 'responseTimeMs'>;

const ORDER = { healthy: 0, degraded: 1, down: 2 } as const;

/** A service is as well as its worst check; of a check that ran twice, the later run counts. */
function worstOf(results: readonly CheckResultEvent[]): Verdict {
  const latest = new Map(results.map((result) => [`${result.type} ${result.target}`, result]));
  const [first, ...rest] = [...latest.values()];
  if (!first) throw new Error('A verdict needs at least one check result.');
  return rest.reduce<Verdict>(
    (worst, result) => (ORDER[result.status] > ORDER[worst.status] ? result : worst),
    first,
  );
}
