-- Who is notified of an incident until someone acknowledges it, who is on call, and when channels are quiet.
create table oncall_schedule (
  id uuid not null,
  organization_id uuid not null,
  name text not null,
  time_zone text not null,
  shifts jsonb not null,
  created_at timestamptz(3) not null default current_timestamp,
  constraint oncall_schedule_pkey primary key (id),
  constraint oncall_schedule_organization_id_fkey foreign key (organization_id)
    references organization (id) on delete cascade on update cascade
);
create unique index oncall_schedule_organization_id_id_key on oncall_schedule (organization_id, id);
create unique index oncall_schedule_organization_id_name_key on oncall_schedule (organization_id, name);

create table escalation_policy (
  id uuid not null,
  organization_id uuid not null,
  name text not null,
  steps jsonb not null,
  repeat_times integer not null,
  repeat_minutes integer not null,
  created_at timestamptz(3) not null default current_timestamp,
  constraint escalation_policy_pkey primary key (id),
  constraint escalation_policy_repeat check (repeat_times >= 0 and repeat_minutes > 0),
  constraint escalation_policy_organization_id_fkey foreign key (organization_id)
    references organization (id) on delete cascade on update cascade
);
create unique index escalation_policy_organization_id_id_key on escalation_policy (organization_id, id);
create unique index escalation_policy_organization_id_name_key on escalation_policy (organization_id, name);

-- The policy of a project, at most one.
create table project_escalation (
  organization_id uuid not null,
  project_id uuid not null,
  policy_id uuid not null,
  constraint project_escalation_pkey primary key (organization_id, project_id),
  constraint project_escalation_organization_id_project_id_fkey foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade on update cascade,
  constraint project_escalation_organization_id_policy_id_fkey foreign key (organization_id, policy_id)
    references escalation_policy (organization_id, id) on delete cascade on update cascade
);
create index project_escalation_organization_id_policy_id_idx on project_escalation (organization_id, policy_id);

-- The escalation of an incident, with the policy as it was when the incident was announced.
create table incident_escalation (
  organization_id uuid not null,
  incident_id uuid not null,
  run integer not null,
  policy_name text not null,
  plan jsonb not null,
  started_at timestamptz(3) not null,
  last_number integer not null default 0,
  elapsed_ms bigint not null default 0,
  running_since timestamptz(3),
  next_at timestamptz(3),
  seen_sequence integer not null,
  ended_at timestamptz(3),
  constraint incident_escalation_pkey primary key (organization_id, incident_id),
  constraint incident_escalation_elapsed check (elapsed_ms >= 0 and last_number >= 0),
  constraint incident_escalation_organization_id_incident_id_fkey foreign key (organization_id, incident_id)
    references incident (organization_id, id) on delete cascade on update cascade
);
create index incident_escalation_open on incident_escalation (next_at) where ended_at is null;

-- Steps that are over, by their number within the run.
create table escalation_step (
  organization_id uuid not null,
  incident_id uuid not null,
  run integer not null,
  number integer not null,
  at timestamptz(3) not null,
  recipients jsonb,
  constraint escalation_step_pkey primary key (organization_id, incident_id, run, number),
  constraint escalation_step_organization_id_incident_id_fkey foreign key (organization_id, incident_id)
    references incident (organization_id, id) on delete cascade on update cascade
);

-- Without a default, so no row is rewritten.
alter table notification_channel add column quiet_hours jsonb;
alter table webhook_delivery add column held_at timestamptz(3), add column held_incident_id uuid;

do $$
declare each text;
begin
  foreach each in array array['oncall_schedule', 'escalation_policy', 'project_escalation', 'incident_escalation', 'escalation_step'] loop
    execute format('alter table %I enable row level security', each);
    execute format('alter table %I force row level security', each);
    execute format('create policy tenant on %I using (organization_id = app.organization_id()) with check (organization_id = app.organization_id())', each);
    execute format('create policy system on %I to tierwatch_system using (true) with check (true)', each);
  end loop;
end $$;
