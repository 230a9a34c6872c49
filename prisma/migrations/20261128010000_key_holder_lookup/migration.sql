-- Who holds a runner's key, read with the key: most requests change nothing about it, and need no
-- transaction to see that.
drop function app.find_runner(text);
create function app.find_runner(p_hash text)
returns table (
  organization_id uuid, id uuid, name text, revoked_at timestamptz,
  key_process uuid, key_instance uuid, key_held_until timestamptz, key_replaced_process uuid, key_refused_process uuid
)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.organization_id, r.id, r.name, r.revoked_at,
    r.key_process, r.key_instance, r.key_held_until, r.key_replaced_process, r.key_refused_process
  from runner r where r.key_hash = p_hash or r.next_key_hash = p_hash
$$;
-- Before its owner changes: afterwards only that one could.
revoke execute on function app.find_runner(text) from public;
grant execute on function app.find_runner(text) to tierwatch_app, tierwatch_system;
grant create on schema app to tierwatch_system;
alter function app.find_runner(text) owner to tierwatch_system;
revoke create on schema app from tierwatch_system;
