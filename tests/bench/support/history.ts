/** Three months of organizations, written by SQL: what lists and pages read. */
import type pg from 'pg';

export interface HistorySize {
  projects: number;
  sessions: number;
  eventsPerSession: number;
}

const DAYS = 90;
/** One chain in ten goes through all tiers, the others end with tier 1. */
const SESSIONS_PER_CHAIN = 1.2;

/**
 * Fills these projects and copies of them in turn, so that rows of different organizations are side
 * by side, up to a number of projects. Row triggers and foreign keys are left out.
 */
export async function writeHistory(
  superuser: pg.Client,
  projectIds: readonly string[],
  { projects, sessions, eventsPerSession }: HistorySize,
): Promise<void> {
  const chains = Math.round(sessions / SESSIONS_PER_CHAIN);
  const run = (sql: string) => superuser.query(sql);
  const sources = projectIds.length;
  await run(`set session_replication_role = replica`);
  await run(`select app.make_event_partitions(now() - interval '${DAYS} days', now())`);
  await run(`create temp table source as
    select p.*, s.place, v.config, (select id from runner_pool r where r.organization_id = p.organization_id) as pool_id,
      (select id from runner r where r.organization_id = p.organization_id) as runner_id
    from unnest('{${projectIds.join(',')}}'::uuid[]) with ordinality s(project_id, place)
    join project p on p.id = s.project_id join project_version v on v.project_id = p.id`);
  await run(`create temp table of_project as
    select n, case when n < ${sources} then s.id else uuidv7() end as id, s.id as source_id, organization_id, config,
      pool_id, runner_id
    from generate_series(0, ${projects - 1}) as n
    join source s on s.place = n % ${sources} + 1`);
  await run(`insert into project (id, organization_id, slug, name)
    select id, organization_id, 'bench-' || n, 'Bench ' || n from of_project where n >= ${sources}`);
  await run(`insert into project_version (organization_id, project_id, version, config, author)
    select organization_id, id, 1, config, 'bench' from of_project where n >= ${sources}`);
  await run(`insert into threshold (organization_id, project_id, version, scope, name, value)
    select p.organization_id, p.id, 1, t.scope, t.name, t.value
    from of_project p join threshold t on t.project_id = p.source_id where p.n >= ${sources}`);
  await run(`insert into service (id, organization_id, project_id, name, position, status)
    select uuidv7(), p.organization_id, p.id, s.name, s.position, 'healthy'
    from of_project p join service s on s.project_id = p.source_id where p.n >= ${sources}`);

  await run(`create temp table of_chain as
    select uuidv7(c.at - now()) as id, p.organization_id, p.id as project_id, p.pool_id, p.runner_id,
      (c.n / ${projects}) + 1 as number, c.at, case when c.n % 10 = 0 then 3 else 1 end as tiers
    from (select n, now() - interval '${DAYS} days' * (1 - n::float8 / ${chains}) as at
      from generate_series(0, ${chains - 1}) as n) c
    join of_project p on p.n = c.n % ${projects}`);
  await run(`insert into chain (id, organization_id, project_id, number, slot_at, trigger, status, outcome,
      outcome_reason, status_text, summary, services_affected, project_version, highest_tier, created_at, started_at, ended_at)
    select id, organization_id, project_id, number, at, 'schedule', 'ended',
      case when tiers = 3 then 'fixed' else 'healthy' end, 'ALL_HEALTHY', 'All services answer.', 'All services answer.',
      case when tiers = 3 then array['web'] else '{}'::text[] end, 1, tiers, at, at, at + interval '2 minutes' from of_chain`);
  await run(`insert into service_health (organization_id, service_id, chain_id, status, status_before, at)
    select c.organization_id, s.id, c.id, 'healthy', 'healthy', c.at
    from of_chain c join service s on s.project_id = c.project_id`);

  await run(`create temp table of_session as
    select uuidv7(c.at - now() + t * interval '1 second') as id, c.organization_id, c.project_id, c.id as chain_id,
      c.pool_id, c.runner_id, c.at, t as tier, c.tiers,
      row_number() over (partition by c.project_id order by c.number, t) as number
    from of_chain c, generate_series(1, c.tiers) as t`);
  await run(`insert into session (id, organization_id, project_id, chain_id, number, tier, parent_session_id, status,
      model, project_version, mechanism, created_at, started_at, ended_at, last_seq, report)
    select id, organization_id, project_id, chain_id, number, tier, lag(id) over (partition by chain_id order by tier),
      case when tier < tiers then 'escalated' else 'completed' end, (array['haiku', 'sonnet', 'opus'])[tier], 1,
      case when tier = 1 then 'fresh' else 'resume' end, at, at, at + interval '30 seconds', ${eventsPerSession},
      '{"summary": "All services answer."}' from of_session`);
  await run(`insert into attempt (id, organization_id, project_id, session_id, number, status, end_kind, pool_id,
      runner_id, fence, queued_at, claimed_at, started_at, ended_at, settled_at, acked_seq)
    select id, organization_id, project_id, id, 1, 'ended', 'completed', pool_id, runner_id, 1, at, at, at,
      at + interval '30 seconds', at + interval '30 seconds', ${eventsPerSession} from of_session`);
  await run(`insert into ledger_entry (id, organization_id, project_id, chain_id, session_id, attempt_id, tier, model,
      input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_micros, source, booked_at)
    select uuidv7(at - now()), organization_id, project_id, chain_id, id, id, tier,
      (array['haiku', 'sonnet', 'opus'])[tier], 900, 300, 4000, 500, 12000 * tier, 'reported', at from of_session`);
  await run(`insert into daily_usage (organization_id, project_id, day, tier, model, cost_micros, tokens)
    select organization_id, project_id, (booked_at at time zone 'UTC')::date, tier, model, sum(cost_micros), sum(5700)
    from ledger_entry e
    where exists (select from of_project p where p.id = e.project_id) group by 1, 2, 3, 4, 5`);
  await run(`insert into monthly_usage (organization_id, project_id, month, cost_micros)
    select organization_id, project_id, date_trunc('month', day::timestamp)::date, sum(cost_micros)
    from daily_usage u where exists (select from of_project p where p.id = u.project_id) group by 1, 2, 3`);
  await run(`insert into decision (id, organization_id, project_id, chain_id, session_id, attempt_id, kind, verdict,
      reason, sentence, facts, created_at)
    select uuidv7(at - now()), organization_id, project_id, chain_id, id, id, 'escalation', 'finish', 'ALL_HEALTHY',
      'All services answer.', '{}', at from of_session`);
  await run(`insert into project_event (id, organization_id, project_id, chain_id, session_id, level, code, message, at)
    select uuidv7(at - now()), organization_id, project_id, chain_id, id, 'info', 'CONTEXT_THRESHOLD',
      'Current resume limit: 80% (set for the project).', at from of_session where tier > 1`);
  await run(`insert into session_event (organization_id, session_id, seq, attempt_id, attempt_seq, kind, at, payload)
    select organization_id, id, n, id, n, e.kind, at + n * interval '1 second', e.payload
    from of_session, generate_series(1, ${eventsPerSession}) as n,
      lateral (select (array['tool_call', 'tool_result', 'text'])[n % 3 + 1] as kind) k,
      lateral (select k.kind, jsonb_build_object('kind', k.kind, 'tool', 'Bash', 'toolUseId', 't' || (n + n % 3) / 3,
        'input', jsonb_build_object('command', 'systemctl status web'), 'denied', false, 'isError', false,
        'content', 'web.service is active and running since this morning', 'text', 'I look at the services.') as payload) e`);
  await run(`update project p set last_chain_number = l.chains, last_session_number = l.sessions
    from (select project_id, count(distinct chain_id) as chains, count(*) as sessions from of_session group by 1) l
    where l.project_id = p.id`);
  await run(`set session_replication_role = default`);
  await run('drop table of_session, of_chain, of_project, source');
  await run('vacuum analyze');
}
