-- What the control plane sets about a runner, and the exchange of its key.
alter table runner
  add column slot_limit integer check (slot_limit between 1 and 200),
  add column clock_skew_ms integer,
  add column next_key_hash text,
  add column key_changed_at timestamptz(3),
  add column rotation_requested_at timestamptz(3);
create unique index runner_next_key_hash_key on runner (next_key_hash);

-- Which runner a token let in, so that who waits for that one hears of it and of no other.
alter table enrolment_token
  add column slot_limit integer check (slot_limit between 1 and 200),
  add column runner_id uuid,
  add constraint enrolment_token_organization_id_runner_id_fkey
    foreign key (organization_id, runner_id) references runner (organization_id, id) on delete cascade on update cascade;

create trigger runner_set after update of allowed_tiers, slot_limit, key_hash, rotation_requested_at on runner
  for each row execute function app.notify_organization();

-- Until a new key is confirmed both are good: the host may go down between storing and saying so.
drop function app.find_runner(text);
create function app.find_runner(p_hash text)
returns table (organization_id uuid, id uuid, name text, revoked_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.organization_id, r.id, r.name, r.revoked_at from runner r where r.key_hash = p_hash or r.next_key_hash = p_hash
$$;
grant create on schema app to tierwatch_system;
alter function app.find_runner(text) owner to tierwatch_system;
revoke create on schema app from tierwatch_system;
revoke execute on function app.find_runner(text) from public;
grant execute on function app.find_runner(text) to tierwatch_app, tierwatch_system;
