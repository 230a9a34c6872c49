-- The unique index of the same columns is read backwards as well.
drop index "chain_organization_id_id_idx";
drop index "session_organization_id_id_idx";

-- A row that is created has none of these yet.
drop index "session_organization_id_parent_session_id_idx";
create index session_parent on session (organization_id, parent_session_id) where parent_session_id is not null;
drop index "session_organization_id_cli_session_id_idx";
create index session_cli_session on session (organization_id, cli_session_id) where cli_session_id is not null;
drop index "attempt_organization_id_runner_id_status_idx";
create index attempt_runner on attempt (organization_id, runner_id, status) where runner_id is not null;
drop index "attempt_organization_id_started_at_idx";
create index attempt_started on attempt (organization_id, started_at) where started_at is not null;

-- Hints about inserted rows, once for each statement: thousands of chains can start at one instant.
create function app.notify_of_inserted() returns trigger language plpgsql as $$
begin
  perform pg_notify(c.name, json_build_object('t', 'p', 'id', p.project_id, 'o', p.organization_id)::text)
  from app.live_channel c, (select distinct project_id, organization_id from inserted) p;
  return null;
end $$;

drop trigger chain_changed on chain;
create trigger chain_changed after update of status, status_text, outcome, acknowledged_at on chain
  for each row execute function app.notify_project();
create trigger chain_inserted after insert on chain
  referencing new table as inserted for each statement execute function app.notify_of_inserted();
drop trigger session_changed on session;
create trigger session_changed after update of status, status_text, report on session
  for each row execute function app.notify_project();
create trigger session_inserted after insert on session
  referencing new table as inserted for each statement execute function app.notify_of_inserted();

revoke execute on function app.notify_of_inserted() from public;
