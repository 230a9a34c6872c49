-- Heartbeat checks: the address that a job pings, what it reported, and when it is judged next.
create table heartbeat (
  organization_id uuid not null,
  check_id uuid not null,
  token_hash text not null,
  token_sealed text not null,
  previous_token_hash text,
  previous_token_until timestamptz(3),
  last_success_at timestamptz(3),
  last_failure_at timestamptz(3),
  last_exit_code integer check (last_exit_code between 1 and 255),
  last_start_at timestamptz(3),
  last_duration_ms bigint check (last_duration_ms >= 0),
  has_new_success boolean not null default false,
  has_new_failure boolean not null default false,
  judged_at timestamptz(3),
  due_at timestamptz(3),
  constraint heartbeat_pkey primary key (organization_id, check_id),
  constraint heartbeat_previous_token check ((previous_token_hash is null) = (previous_token_until is null)),
  constraint heartbeat_organization_id_check_id_fkey foreign key (organization_id, check_id)
    references service_check (organization_id, id) on delete cascade on update cascade
);
create unique index heartbeat_token_hash_key on heartbeat (token_hash);
create unique index heartbeat_previous_token_hash_key on heartbeat (previous_token_hash);
create index heartbeat_due_at_idx on heartbeat (due_at);

do $$ begin
  alter table heartbeat enable row level security;
  alter table heartbeat force row level security;
  create policy tenant on heartbeat using (organization_id = app.organization_id())
    with check (organization_id = app.organization_id());
  create policy system on heartbeat to tierwatch_system using (true) with check (true);
end $$;

-- A ping names its heartbeat by a token before it is known whose it is.
create function app.find_heartbeat(p_token_hash text, p_now timestamptz)
returns table (organization_id uuid, check_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select h.organization_id, h.check_id
  from heartbeat h
  join service_check c on c.organization_id = h.organization_id and c.id = h.check_id
  where c.removed_at is null
    and (h.token_hash = p_token_hash
      or (h.previous_token_hash = p_token_hash and h.previous_token_until > p_now))
$$;
-- Before its owner changes: afterwards only that one could.
revoke execute on function app.find_heartbeat(text, timestamptz) from public;
grant execute on function app.find_heartbeat(text, timestamptz) to tierwatch_app, tierwatch_system;
grant create on schema app to tierwatch_system;
alter function app.find_heartbeat(text, timestamptz) owner to tierwatch_system;
revoke create on schema app from tierwatch_system;

-- Heartbeats are judged without a runner: a project may have no other checks.
alter table checker add column needs_runner boolean not null default true;
drop index checker_without_runner;
create index checker_without_runner on checker (organization_id, project_id)
  where is_on and needs_runner and runner_id is null;
