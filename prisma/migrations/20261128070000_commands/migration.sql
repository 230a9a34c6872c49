-- What confined agents had run on their hosts: one row for each command that a broker was asked for.
create table command (
  id uuid not null,
  organization_id uuid not null,
  project_id uuid not null,
  session_id uuid not null,
  attempt_id uuid not null,
  number integer not null,
  attempt_seq integer not null,
  argv jsonb not null,
  rule text,
  may_change boolean not null,
  state text not null check (state in ('started', 'left_running', 'succeeded', 'failed', 'not_started', 'refused')),
  refusal_code text,
  refusal_message text,
  exit_code integer,
  signal text,
  error text,
  duration_ms integer,
  output_bytes bigint,
  requested_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint command_pkey primary key (id),
  constraint command_refused check ((state = 'refused') = (refusal_code is not null and refusal_message is not null)),
  constraint command_ended check ((state = 'started' or state = 'left_running') = (ended_at is null)),
  constraint command_organization_id_project_id_fkey foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade on update cascade,
  constraint command_organization_id_session_id_fkey foreign key (organization_id, session_id)
    references session (organization_id, id) on delete cascade on update cascade,
  constraint command_organization_id_attempt_id_fkey foreign key (organization_id, attempt_id)
    references attempt (organization_id, id) on delete cascade on update cascade
);
create unique index command_organization_id_attempt_id_number_key on command (organization_id, attempt_id, number);
create index command_organization_id_id_idx on command (organization_id, id desc);
create index command_organization_id_project_id_id_idx on command (organization_id, project_id, id desc);
create index command_open on command (organization_id, id desc) where state = 'started' or state = 'left_running';
create index command_organization_id_session_id_id_idx on command (organization_id, session_id, id);

alter table command enable row level security;
alter table command force row level security;
create policy tenant on command
  using (organization_id = app.organization_id()) with check (organization_id = app.organization_id());
create policy system on command to tierwatch_system using (true) with check (true);
