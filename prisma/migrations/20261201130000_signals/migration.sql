-- What other systems send is a signal: `alert` is what Tierwatch sends to people.
alter table alert_source rename to signal_source;
alter table alert_delivery rename to signal_request;
alter table alert rename to signal;
alter table incident_alert rename to incident_signal;
alter table incident_signal rename column alert_id to signal_id;
alter table chain rename column alert_ids to signal_ids;

-- Constraints rename their indexes with them; the other indexes follow.
do $$
declare
  tables regclass[] := array['signal_source', 'signal_request', 'signal', 'incident_signal']::regclass[];
  old record;
begin
  for old in select conrelid::regclass as owner, conname as name from pg_constraint
    where conrelid = any (tables) and conname like '%alert%'
  loop
    execute format('alter table %s rename constraint %I to %I', old.owner, old.name,
      replace(replace(old.name, 'alert_delivery', 'signal_request'), 'alert', 'signal'));
  end loop;
  for old in select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = any (tables) and c.relname like '%alert%'
  loop
    execute format('alter index %I rename to %I', old.name,
      replace(replace(old.name, 'alert_delivery', 'signal_request'), 'alert', 'signal'));
  end loop;
end $$;

-- A request names its source before it is known whose source that is.
drop function app.find_alert_source(uuid);
create function app.find_signal_source(p_id uuid)
returns table (
  organization_id uuid, id uuid, project_id uuid, kind text, token_hash text, previous_token_hash text,
  previous_token_until timestamptz, signing_secrets_sealed text[], signature_header text, timestamp_header text,
  disabled_at timestamptz
)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.organization_id, s.id, s.project_id, s.kind, s.token_hash, s.previous_token_hash,
    s.previous_token_until, s.signing_secrets_sealed, s.signature_header, s.timestamp_header, s.disabled_at
  from signal_source s where s.id = p_id
$$;
-- Before its owner changes: afterwards only that one could.
revoke execute on function app.find_signal_source(uuid) from public;
grant execute on function app.find_signal_source(uuid) to tierwatch_app, tierwatch_system;
grant create on schema app to tierwatch_system;
alter function app.find_signal_source(uuid) owner to tierwatch_system;
revoke create on schema app from tierwatch_system;
