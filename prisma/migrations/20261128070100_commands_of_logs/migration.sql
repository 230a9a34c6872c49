-- In a migration of its own, since it reads whole logs while others write: the commands that are in them. Ids
-- begin with the time of the request, as those made later do. The owner itself sees no tenant's rows.
set local role tierwatch_system;
insert into command (id, organization_id, project_id, session_id, attempt_id, number, attempt_seq, argv, rule, may_change,
  state, refusal_code, refusal_message, exit_code, signal, error, duration_ms, output_bytes, requested_at, ended_at)
select overlay(gen_random_uuid()::text placing
    substr(lpad(to_hex((extract(epoch from f.at) * 1000)::bigint), 12, '0'), 1, 8) || '-'
      || substr(lpad(to_hex((extract(epoch from f.at) * 1000)::bigint), 12, '0'), 9, 4) || '-7' from 1 for 15)::uuid,
  f.organization_id, s.project_id, f.session_id, f.attempt_id, (f.payload->>'number')::integer, f.attempt_seq,
  f.payload->'argv', f.payload->>'rule', (f.payload->>'changes')::boolean,
  case l.payload->>'phase'
    when 'refused' then 'refused'
    when 'started' then 'started'
    when 'left_running' then 'left_running'
    else case
      when coalesce(l.payload->'end'->>'error', '') <> '' then 'not_started'
      when l.payload->'end'->>'exitCode' = '0' then 'succeeded'
      else 'failed' end end,
  case when l.payload->>'phase' = 'refused' then coalesce(l.payload->'refusal'->>'code', 'unknown') end,
  case when l.payload->>'phase' = 'refused' then coalesce(l.payload->'refusal'->>'message', '') end,
  case when length(l.payload->'end'->>'exitCode') < 10 then (l.payload->'end'->>'exitCode')::integer end,
  l.payload->'end'->>'signal', l.payload->'end'->>'error',
  (l.payload->'end'->>'durationMs')::integer, (l.payload->'end'->>'outputBytes')::bigint,
  f.at, case when l.payload->>'phase' in ('refused', 'ended') then l.at end
from (
  select distinct on (organization_id, attempt_id, payload->>'number') * from session_event
  where kind = 'brokered' and length(payload->>'number') < 10
  order by organization_id, attempt_id, payload->>'number', seq
) f
join (
  select distinct on (organization_id, attempt_id, payload->>'number') * from session_event
  where kind = 'brokered' order by organization_id, attempt_id, payload->>'number', seq desc
) l on l.organization_id = f.organization_id and l.attempt_id = f.attempt_id and l.payload->>'number' = f.payload->>'number'
join session s on s.organization_id = f.organization_id and s.id = f.session_id
on conflict do nothing;
reset role;
