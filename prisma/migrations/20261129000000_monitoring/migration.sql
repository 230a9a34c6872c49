-- Checks that runners run without an agent.
create table service_check (
  id uuid not null,
  organization_id uuid not null,
  project_id uuid not null,
  service_id uuid not null,
  position integer not null,
  key text not null,
  spec jsonb not null,
  every_seconds integer not null,
  status text not null default 'unknown' check (status in ('healthy', 'degraded', 'down', 'unknown')),
  status_since timestamptz(3),
  failing_since timestamptz(3),
  recent jsonb not null default '[]',
  last_run_at timestamptz(3),
  last_at timestamptz(3),
  last_status text check (last_status in ('healthy', 'degraded', 'down', 'unknown')),
  last_error text not null default '',
  last_response_ms integer,
  removed_at timestamptz(3),
  constraint service_check_pkey primary key (id),
  constraint service_check_last check ((last_at is null) = (last_status is null)),
  constraint service_check_organization_id_project_id_fkey foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade on update cascade,
  constraint service_check_organization_id_service_id_fkey foreign key (organization_id, service_id)
    references service (organization_id, id) on delete cascade on update cascade
);
create unique index service_check_organization_id_id_key on service_check (organization_id, id);
create unique index service_check_organization_id_service_id_key_key on service_check (organization_id, service_id, key);
create index service_check_organization_id_project_id_idx on service_check (organization_id, project_id);

create table check_result (
  organization_id uuid not null,
  check_id uuid not null,
  at timestamptz(3) not null,
  status text not null check (status in ('healthy', 'degraded', 'down', 'unknown')),
  error text not null default '',
  response_ms integer,
  runner_id uuid,
  constraint check_result_pkey primary key (organization_id, check_id, at),
  constraint check_result_organization_id_check_id_fkey foreign key (organization_id, check_id)
    references service_check (organization_id, id) on delete cascade on update cascade
);
create index check_result_at_idx on check_result (at);

create table check_hour (
  organization_id uuid not null,
  check_id uuid not null,
  hour timestamptz(3) not null,
  healthy integer not null default 0,
  degraded integer not null default 0,
  down integer not null default 0,
  unknown integer not null default 0,
  timed integer not null default 0,
  total_ms bigint not null default 0,
  max_ms integer,
  constraint check_hour_pkey primary key (organization_id, check_id, hour),
  constraint check_hour_organization_id_check_id_fkey foreign key (organization_id, check_id)
    references service_check (organization_id, id) on delete cascade on update cascade
);

create table checker (
  organization_id uuid not null,
  project_id uuid not null,
  version integer not null,
  is_on boolean not null,
  runner_id uuid,
  epoch integer not null default 1,
  assigned_at timestamptz(3),
  constraint checker_pkey primary key (organization_id, project_id),
  constraint checker_organization_id_project_id_fkey foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade on update cascade,
  constraint checker_organization_id_runner_id_fkey foreign key (organization_id, runner_id)
    references runner (organization_id, id) on delete no action on update no action
);
create index checker_runner_id_idx on checker (runner_id);
create index checker_on on checker (organization_id, project_id) where is_on;

do $$ declare t text; begin
  foreach t in array array['service_check', 'check_result', 'check_hour', 'checker'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (organization_id = app.organization_id()) with check (organization_id = app.organization_id())', t);
    execute format('create policy system on %I to tierwatch_system using (true) with check (true)', t);
  end loop;
end $$;
