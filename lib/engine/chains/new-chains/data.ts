import { Prisma } from '@/generated/prisma/client';
import { takeChainNumbersSql } from '@/lib/projects/project-rows';
import type { NewChain } from './new-chain';

/**
 * Returns one statement that creates any number of chains of different projects. It also raises
 * their numbers, and creates no second chain for a slot.
 */
export function createChainsSql(chains: readonly NewChain[], now: Date): Prisma.Sql {
  return Prisma.sql`with input as (
      select * from jsonb_to_recordset(${JSON.stringify(chains)}::jsonb) as t(
        "chainId" uuid, "sessionId" uuid, "attemptId" uuid, "organizationId" uuid, "projectId" uuid,
        "slotAt" timestamptz, trigger text, "requestedBy" text, "projectVersion" int, "startTier" int,
        "isDryRun" boolean, "isForceFresh" boolean, prompt text, model text, "poolId" uuid, skipped jsonb)
    ), numbered as (
      ${takeChainNumbersSql(Prisma.raw('input'))}
    ), made as (
      insert into chain (id, organization_id, project_id, number, slot_at, trigger, requested_by, status, outcome,
        outcome_reason, status_text, wait_reason, services_affected, project_version, start_tier, is_dry_run, is_force_fresh, prompt, created_at, ended_at)
      select i."chainId", i."organizationId", i."projectId", n.last_chain_number, i."slotAt", i.trigger, i."requestedBy",
        case when i.skipped is null then 'queued' else 'ended' end,
        case when i.skipped is null then null else 'skipped' end,
        case when i.skipped is null then null else i.skipped->>'code' end,
        coalesce(i.skipped->>'text', 'Waiting for a runner.'), case when i.skipped is null then 'runner' end, '{}',
        i."projectVersion", i."startTier", i."isDryRun", i."isForceFresh", i.prompt, ${now}::timestamptz,
        case when i.skipped is null then null else ${now}::timestamptz end
      from input i join numbered n on n.id = i."projectId"
      returning id, number, project_id, organization_id
    ), sessions as (
      insert into session (id, organization_id, project_id, chain_id, number, tier, model, project_version, status_text, wait_reason, created_at)
      select i."sessionId", i."organizationId", i."projectId", i."chainId", n.last_session_number, i."startTier", i.model,
        i."projectVersion", 'Waiting for a runner.', 'runner', ${now}::timestamptz
      from input i join numbered n on n.id = i."projectId" where i.skipped is null
    ), attempts as (
      insert into attempt (id, organization_id, project_id, session_id, number, pool_id, queued_at)
      select i."attemptId", i."organizationId", i."projectId", i."sessionId", 1, i."poolId", ${now}::timestamptz
      from input i join numbered n on n.id = i."projectId" where i.skipped is null
    )
    select id, number, project_id as "projectId", organization_id as "organizationId" from made`;
}
