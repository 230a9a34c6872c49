-- From when on a check was in which state: what strips and uptime are computed from.
create table check_change (
  organization_id uuid not null,
  check_id uuid not null,
  at timestamptz(3) not null,
  status text check (status in ('healthy', 'degraded', 'down', 'unknown')),
  constraint check_change_pkey primary key (organization_id, check_id, at),
  constraint check_change_organization_id_check_id_fkey foreign key (organization_id, check_id)
    references service_check (organization_id, id) on delete cascade on update cascade
);
create index check_change_at_idx on check_change (at);

alter table check_change enable row level security;
alter table check_change force row level security;
create policy tenant on check_change using (organization_id = app.organization_id())
  with check (organization_id = app.organization_id());
create policy system on check_change to tierwatch_system using (true) with check (true);

-- The owner itself sees no tenant's rows.
set local role tierwatch_system;
-- What checks are now is known since they last changed, and nothing before.
insert into check_change (organization_id, check_id, at, status)
  select organization_id, id,
    coalesce(case when status in ('down', 'degraded') then failing_since end, status_since, last_at, now()), status
  from service_check
  where removed_at is null and (status <> 'unknown' or spec->>'type' <> 'heartbeat');
reset role;
