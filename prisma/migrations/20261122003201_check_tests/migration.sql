-- A check that a person tries on a runner before it is saved: asked, answered, and read once.
create table check_test (
  organization_id uuid not null references organization (id) on delete cascade on update cascade,
  id uuid not null,
  runner_id uuid not null,
  service text not null,
  "check" jsonb not null,
  created_at timestamptz(3) not null default current_timestamp,
  outcome jsonb,
  constraint check_test_pkey primary key (organization_id, id),
  constraint check_test_organization_id_runner_id_fkey foreign key (organization_id, runner_id)
    references runner (organization_id, id) on delete cascade on update cascade
);
create index check_test_runner on check_test (organization_id, runner_id) where outcome is null;
alter table check_test enable row level security;
alter table check_test force row level security;
create policy tenant on check_test using (organization_id = app.organization_id()) with check (organization_id = app.organization_id());
create policy system on check_test to tierwatch_system using (true) with check (true);
