import { type RawBuilder, sql } from 'kysely';
import { byId, query, refers, rowsOf } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { advanceProjectsSql } from '@/lib/projects/project-rows';
import type { CreatedChain, NewChain } from './new-chain';

export async function createChain(
  db: TenantDb,
  chain: NewChain,
  now: Date,
): Promise<CreatedChain | null> {
  const [created] = await rowsOf(db, createChainsSql([withoutSlot(chain)], now));
  return created ?? null;
}

/** Sets the alerts whose text the first session of a chain reads. Ids are UUIDs. */
export async function setSignals(
  db: TenantDb,
  chainId: string,
  signalIds: readonly string[],
): Promise<void> {
  await db.chain.updateMany({ where: { id: chainId }, data: { signalIds: [...signalIds] } });
}

/** Serializes starts of one project, so that each sees the chain of the previous one. */
export async function lockProject(db: TenantDb, projectId: string): Promise<void> {
  await rowsOf(db, byId('project', db.organizationId, projectId).select('id').forNoKeyUpdate());
}

/**
 * Returns the live session of a chain and its live attempt. In one statement: between two, a
 * settlement can end the attempt and start the next session.
 */
export async function findLiveWork(
  db: TenantDb,
  chainId: string,
): Promise<{ session: { id: string } | null; attemptId: string | null }> {
  const [row] = await rowsOf(
    db,
    query
      .selectFrom('session as s')
      .leftJoin('attempt as a', (join) =>
        refers('a.sessionId', 's.id')(join).on('a.status', '<>', sql.lit('ended')),
      )
      .select(['s.id', 'a.id as attemptId'])
      .where('s.organizationId', '=', db.organizationId)
      .where('s.chainId', '=', chainId)
      .where('s.endedAt', 'is', null)
      .orderBy('s.number', 'desc')
      .limit(1),
  );
  return { session: row ? { id: row.id } : null, attemptId: row?.attemptId ?? null };
}

/** Marks a chain as acknowledged. Returns false if someone else was faster. */
export async function markAcknowledged(
  db: TenantDb,
  chainId: string,
  by: { at: Date; label: string; note: string; endsAt: Date | null },
): Promise<boolean> {
  const { count } = await db.chain.updateMany({
    where: { id: chainId, acknowledgedAt: null },
    data: {
      acknowledgedAt: by.at,
      acknowledgedBy: by.label,
      acknowledgeNote: by.note,
      acknowledgementEndsAt: by.endsAt,
    },
  });
  return count === 1;
}

/** Removes an acknowledgement. Returns false if there is none. */
export async function clearAcknowledgement(db: TenantDb, chainId: string): Promise<boolean> {
  const { count } = await db.chain.updateMany({
    where: { id: chainId, acknowledgedAt: { not: null } },
    data: {
      acknowledgedAt: null,
      acknowledgedBy: null,
      acknowledgeNote: null,
      acknowledgementEndsAt: null,
    },
  });
  return count === 1;
}

/** What one statement does to a project: it moves its slot, creates a chain, or both. */
export interface ChainInput extends Partial<NewChain> {
  organizationId: string;
  projectId: string;
  isSlotMoved: boolean;
  /** ISO 8601 in UTC; null stops the schedule. Only read if the slot is moved. */
  nextRunAt: string | null;
}

function withoutSlot(chain: NewChain): ChainInput {
  return { ...chain, isSlotMoved: false, nextRunAt: null };
}

/**
 * Returns one statement for any number of different projects: it moves their slots, raises their
 * numbers and creates their chains. A slot that has a chain already gets no second one. Each project
 * is updated once, since a second update in a transaction checks its foreign keys, and all inserts
 * read the rows of that update, since a join of two intermediate results has no estimate.
 */
export function createChainsSql(
  inputs: readonly ChainInput[],
  now: Date,
): RawBuilder<CreatedChain> {
  return sql`with input as (
      select * from jsonb_to_recordset(${JSON.stringify(inputs)}::jsonb) as t(
        "chainId" uuid, "sessionId" uuid, "attemptId" uuid, "organizationId" uuid, "projectId" uuid,
        "slotAt" timestamptz, trigger text, "requestedBy" text, "requestedPerson" text, "projectVersion" int, "startTier" int,
        "isDryRun" boolean, "isForceFresh" boolean, prompt text, model text, "poolId" uuid, skipped jsonb,
        "isSlotMoved" boolean, "nextRunAt" timestamptz)
    ), numbered as (
      ${advanceProjectsSql(sql`input`)}
    ), made as (
      insert into chain (id, organization_id, project_id, number, slot_at, trigger, requested_by, requested_person, status, outcome,
        outcome_reason, status_text, wait_reason, services_affected, project_version, start_tier, is_dry_run, is_force_fresh, prompt, created_at, ended_at)
      select "chainId", "organizationId", "projectId", last_chain_number, "slotAt", trigger, "requestedBy", "requestedPerson",
        case when skipped is null then 'queued' else 'ended' end,
        case when skipped is null then null else 'skipped' end,
        case when skipped is null then null else skipped->>'code' end,
        coalesce(skipped->>'text', 'Waiting for a runner.'), case when skipped is null then 'runner' end, '{}',
        "projectVersion", "startTier", "isDryRun", "isForceFresh", prompt, ${now}::timestamptz,
        case when skipped is null then null else ${now}::timestamptz end
      from numbered where "isNew"
      returning id, number, project_id, organization_id
    ), sessions as (
      insert into session (id, organization_id, project_id, chain_id, number, tier, model, project_version, status_text, wait_reason, created_at)
      select "sessionId", "organizationId", "projectId", "chainId", last_session_number, "startTier", model,
        "projectVersion", 'Waiting for a runner.', 'runner', ${now}::timestamptz
      from numbered where "isNew" and skipped is null
    ), attempts as (
      insert into attempt (id, organization_id, project_id, session_id, number, pool_id, queued_at)
      select "attemptId", "organizationId", "projectId", "sessionId", 1, "poolId", ${now}::timestamptz
      from numbered where "isNew" and skipped is null
    )
    select id, number, project_id, organization_id from made`;
}
