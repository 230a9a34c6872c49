-- What a runner can do is its capabilities, and what a job sends is a ping.
alter table runner rename column posture to capabilities;

alter table heartbeat rename to ping_check;
alter table ping_check rename constraint heartbeat_pkey to ping_check_pkey;
alter table ping_check rename constraint heartbeat_previous_token to ping_check_previous_token;
alter table ping_check
  rename constraint heartbeat_organization_id_check_id_fkey to ping_check_organization_id_check_id_fkey;
alter index heartbeat_token_hash_key rename to ping_check_token_hash_key;
alter index heartbeat_previous_token_hash_key rename to ping_check_previous_token_hash_key;
alter index heartbeat_due_at_idx rename to ping_check_due_at_idx;
alter table ping_check rename constraint heartbeat_last_exit_code_check to ping_check_last_exit_code_check;
alter table ping_check
  rename constraint heartbeat_last_duration_ms_check to ping_check_last_duration_ms_check;

drop function app.find_heartbeat(text, timestamptz);
-- A ping names its check by a token before it is known whose it is.
create function app.find_ping_check(p_token_hash text, p_now timestamptz)
returns table (organization_id uuid, check_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.organization_id, p.check_id
  from ping_check p
  join service_check c on c.organization_id = p.organization_id and c.id = p.check_id
  where c.removed_at is null
    and (p.token_hash = p_token_hash
      or (p.previous_token_hash = p_token_hash and p.previous_token_until > p_now))
$$;
-- Before its owner changes: afterwards only that one could.
revoke execute on function app.find_ping_check(text, timestamptz) from public;
grant execute on function app.find_ping_check(text, timestamptz) to tierwatch_app, tierwatch_system;
grant create on schema app to tierwatch_system;
alter function app.find_ping_check(text, timestamptz) owner to tierwatch_system;
revoke create on schema app from tierwatch_system;
