/** A believable year of one project, written by SQL into a database that the product runs on. */
import type pg from 'pg';

/**
 * Fills the project of the demo organization: a cycle every ten minutes of the last days, every
 * hour before, with outages in clusters, fixes that mostly hold, and costs that follow. Nothing of
 * it is random, so that two runs look the same.
 */
export async function writeYear(superuser: pg.Client, projectSlug: string): Promise<void> {
  const run = (sql: string, values: unknown[] = []) => superuser.query(sql, values);
  await run('begin');
  await run('set local session_replication_role = replica');
  await run(
    `create temp table source as
    select p.id as project_id, p.organization_id, p.last_chain_number as chains, p.last_session_number as sessions,
      r.id as runner_id, r.pool_id
    from project p join runner r on r.organization_id = p.organization_id
    where p.slug = $1 order by r.created_at limit 1`,
    [projectSlug],
  );
  await run(
    `update runner set created_at = now() - interval '400 days' from source s where runner.id = s.runner_id`,
  );
  // A cheap noise of the time: the same at every run of a minute.
  await run(`create function pg_temp.noise(at timestamptz, salt text) returns float8 language sql immutable as $$
    select (('x' || substr(md5(extract(epoch from at)::bigint::text || salt), 1, 7))::bit(28)::int)::float8 / 268435456 $$`);
  await run(`create temp table cycle as
    with slots as (
      select at from generate_series(date_trunc('hour', now()) - interval '365 days', now() - interval '40 days', interval '1 hour') at
      union all
      select at from generate_series(date_trunc('hour', now()) - interval '40 days' + interval '1 hour', now() - interval '20 minutes', interval '10 minutes') at),
    rated as (
      select at, pg_temp.noise(at, 'a') as a, pg_temp.noise(at, 'b') as b, pg_temp.noise(at, 'c') as c,
        -- Some days are bad, and then most of their trouble comes together.
        case when pg_temp.noise(date_trunc('day', at), 'day') > 0.82 then 0.22 else 0.035 end as trouble
      from slots)
    select s.*, at, a, b, c, row_number() over (order by at) as n,
      case when a < trouble * 0.55 then 2 when a < trouble * 0.8 then 3 else 1 end as tiers,
      case when a < trouble * 0.48 then 'fixed' when a < trouble * 0.55 then 'findings'
        when a < trouble * 0.7 then 'fixed' when a < trouble * 0.8 then 'needs_human'
        when a < trouble * 0.86 then 'findings' when a < trouble * 0.9 then 'suppressed'
        when b < 0.004 then 'failed' when b < 0.006 then 'lost' when b < 0.012 then 'skipped'
        else 'healthy' end as outcome
    from rated cross join source s
    -- A weekend without anybody's runner, so that gaps are seen.
    where not (at > now() - interval '19 days' and at < now() - interval '17 days')`);
  await run(`alter table cycle add column id uuid, add column service text`);
  await run(
    `update cycle set id = uuidv7(at - now()), service = (array['web', 'api', 'db'])[1 + floor(c * 3)::int]`,
  );
  await run(`insert into chain (id, organization_id, project_id, number, slot_at, trigger, status, outcome, outcome_reason,
      status_text, summary, services_affected, project_version, highest_tier, created_at, started_at, ended_at)
    select id, organization_id, project_id, chains + n, at, 'schedule', 'ended', outcome, upper(outcome), 'Written for a picture.', '',
      case when outcome in ('healthy', 'skipped', 'lost', 'failed') then '{}'::text[] else array[service] end, 1,
      case when outcome = 'skipped' then 0 else tiers end, at, at, at + interval '40 seconds' * tiers * tiers from cycle`);
  await run(`insert into service_health (organization_id, service_id, chain_id, status, status_before, at)
    select c.organization_id, s.id, c.id,
      case when s.name = c.service and c.outcome in ('needs_human', 'findings') then case when c.b < 0.6 then 'down' else 'degraded' end else 'healthy' end,
      case when s.name = c.service and c.outcome not in ('healthy', 'failed') then 'down' else 'healthy' end,
      c.at + interval '30 seconds' * c.tiers * c.tiers
    from cycle c join service s on s.project_id = c.project_id where c.outcome not in ('skipped', 'lost')`);
  await run(`create temp table turn as
    select uuidv7(c.at - now() + t * interval '1 second') as session_id, c.*, t as tier,
      c.at + interval '3 seconds' + c.b * interval '20 seconds' + (t - 1) * interval '1 minute' as began_at,
      row_number() over (order by c.at, t) as m
    from cycle c, generate_series(1, c.tiers) t where c.outcome <> 'skipped'`);
  await run(`insert into session (id, organization_id, project_id, chain_id, number, tier, parent_session_id, status, model,
      project_version, mechanism, is_fallback, created_at, started_at, ended_at, report)
    select session_id, organization_id, project_id, id, sessions + m, tier,
      lag(session_id) over (partition by n order by tier), case when tier < tiers then 'escalated' else 'completed' end,
      (array['haiku', 'sonnet', 'opus'])[tier], 1,
      case when tier = 1 then 'fresh' when c < 0.62 then 'resume' else 'handoff' end, tier > 1 and c > 0.9,
      began_at, began_at, began_at + interval '25 seconds' * tier * tier, '{"summary": ""}' from turn`);
  await run(`insert into decision (id, organization_id, project_id, chain_id, session_id, kind, verdict, reason, sentence, facts, created_at)
    select uuidv7(), organization_id, project_id, id, session_id, 'continuation',
      case when c < 0.62 then 'resume' else 'handoff' end,
      case when c < 0.62 then 'OK_RESUME' when c > 0.9 then 'RESUME_REJECTED' when c > 0.74 then 'CONTEXT_PRESSURE' when c > 0.68 then 'WORKDIR_CHANGED' else 'EXPIRED' end,
      '', '{}', began_at from turn where tier > 1`);
  await run(`insert into attempt (id, organization_id, project_id, session_id, number, status, end_kind, pool_id, runner_id, fence,
      queued_at, claimed_at, started_at, ended_at, settled_at)
    select session_id, organization_id, project_id, session_id, 1, 'ended',
      case when outcome = 'failed' then 'killed' when outcome = 'lost' then 'lost' else 'completed' end, pool_id, runner_id, 1,
      began_at - interval '1 second' - b * interval '9 seconds', began_at, began_at, began_at + interval '25 seconds' * tier * tier,
      began_at + interval '25 seconds' * tier * tier from turn`);
  await run(`insert into ledger_entry (id, organization_id, project_id, chain_id, session_id, attempt_id, tier, model, input_tokens,
      output_tokens, cache_read_tokens, cache_write_tokens, cost_micros, source, is_estimate, price_table, booked_at)
    select uuidv7(began_at - now()), organization_id, project_id, id, session_id, session_id, tier,
      (array['claude-haiku-4-5', 'claude-sonnet-4-5', 'claude-opus-4-1'])[tier], 1200 + 800 * b, 300 + 500 * a, 9000 * tier, 1500,
      ((array[9000, 90000, 420000])[tier] * (0.7 + 0.6 * b))::bigint,
      case when outcome = 'failed' then 'estimated' else 'reported' end, outcome = 'failed', case when outcome = 'failed' then '2026-11-01' end,
      began_at + interval '25 seconds' * tier * tier
    from turn where not (outcome = 'lost' and b < 0.5)`);
  await run(`insert into daily_usage (organization_id, project_id, day, tier, model, cost_micros, tokens)
    select e.organization_id, e.project_id, (booked_at at time zone 'UTC')::date, tier, model, sum(cost_micros),
      sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens)
    from ledger_entry e join source s on s.project_id = e.project_id group by 1, 2, 3, 4, 5
    on conflict (organization_id, project_id, day, tier, model)
    do update set cost_micros = excluded.cost_micros, tokens = excluded.tokens`);
  await run(`insert into monthly_usage (organization_id, project_id, month, cost_micros)
    select u.organization_id, u.project_id, date_trunc('month', u.day::timestamp)::date, sum(u.cost_micros)
    from daily_usage u join source s on s.project_id = u.project_id group by 1, 2, 3
    on conflict (organization_id, month, project_id) do update set cost_micros = excluded.cost_micros`);
  await run(`update project p set last_chain_number = (select max(number) from chain where project_id = p.id),
      last_session_number = (select max(number) from session where project_id = p.id) from source s where s.project_id = p.id`);
  await run('drop table turn, cycle, source');
  await run('commit');
  await run('analyze');
}
