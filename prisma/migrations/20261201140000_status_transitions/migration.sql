-- Which status may follow which: TRANSITIONS in lib/engine/statuses.ts and INCIDENT_TRANSITIONS in
-- lib/incidents/states.ts. A test compares the triggers with both.
create function app.require_transition() returns trigger language plpgsql as $$
declare
  column_name constant text := tg_argv[0];
  old_status constant text := to_jsonb(old) ->> column_name;
  new_status constant text := to_jsonb(new) ->> column_name;
begin
  if old_status = new_status or (tg_argv[1]::jsonb -> old_status) ? new_status then
    return new;
  end if;
  raise exception '% % can''t become % after %', tg_table_name, old.id, new_status, old_status
    using errcode = 'check_violation';
end $$;

revoke execute on function app.require_transition() from public;
grant execute on function app.require_transition() to tierwatch_app, tierwatch_system;

create trigger chain_transition before update of status on chain
  for each row when (old.status is distinct from new.status)
  execute function app.require_transition('status', '{"queued": ["waiting", "running", "stopping", "ended"], "waiting": ["running", "stopping", "ended"], "running": ["waiting", "stopping", "ended"], "stopping": ["ended"], "ended": []}');

create trigger session_transition before update of status on session
  for each row when (old.status is distinct from new.status)
  execute function app.require_transition('status', '{"queued": ["waiting", "running", "stopping", "stopped", "completed", "escalated", "failed", "lost", "timed_out", "refused"], "waiting": ["queued", "running", "stopping", "stopped", "completed", "escalated", "failed", "lost", "timed_out", "refused"], "running": ["queued", "waiting", "stopping", "stopped", "completed", "escalated", "failed", "lost", "timed_out", "refused"], "stopping": ["stopped", "completed", "escalated", "failed", "lost", "timed_out", "refused"], "stopped": [], "completed": [], "escalated": [], "failed": [], "lost": [], "timed_out": [], "refused": []}');

create trigger attempt_transition before update of status on attempt
  for each row when (old.status is distinct from new.status)
  execute function app.require_transition('status', '{"queued": ["claimed", "ended"], "claimed": ["running", "stopping", "ended"], "running": ["stopping", "ended"], "stopping": ["ended"], "ended": []}');

create trigger approval_transition before update of status on approval
  for each row when (old.status is distinct from new.status)
  execute function app.require_transition('status', '{"pending": ["approved", "refused", "expired", "withdrawn"], "approved": ["expired", "withdrawn"], "refused": [], "expired": [], "withdrawn": []}');

create trigger incident_transition before update of state on incident
  for each row when (old.state is distinct from new.state)
  execute function app.require_transition('state', '{"open": ["acknowledged", "verifying", "resolved"], "acknowledged": ["open", "verifying", "resolved"], "verifying": ["open", "acknowledged", "resolved"], "resolved": ["open", "acknowledged"]}');
