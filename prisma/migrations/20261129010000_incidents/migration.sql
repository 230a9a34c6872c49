-- Outages, from the first failure to the proven recovery.
create table incident (
  id uuid not null,
  organization_id uuid not null,
  project_id uuid not null,
  number integer not null,
  state text not null default 'open' check (state in ('open', 'acknowledged', 'verifying', 'resolved')),
  source text not null check (source in ('check', 'alert', 'finding')),
  severity text not null check (severity in ('critical', 'warning')),
  started_at timestamptz(3) not null,
  opened_at timestamptz(3) not null,
  acknowledged_at timestamptz(3),
  acknowledged_by text,
  acknowledgement_ends_at timestamptz(3),
  verifying_since timestamptz(3),
  resolved_at timestamptz(3),
  resolution text check (resolution in ('recovered', 'fixed', 'manual', 'merged')),
  resolved_by text,
  reopenings integer not null default 0,
  last_reopened_at timestamptz(3),
  needs_human_since timestamptz(3),
  needs_human_chain_id uuid,
  fix_chain_id uuid,
  look_due_at timestamptz(3),
  human_due_at timestamptz(3),
  announced_at timestamptz(3),
  earlier_id uuid,
  merged_into_id uuid,
  silenced_until timestamptz(3),
  silenced_by text,
  sequence integer not null default 1,
  constraint incident_pkey primary key (id),
  constraint incident_resolved check ((state = 'resolved') = (resolved_at is not null) and (resolved_at is null) = (resolution is null)),
  constraint incident_acknowledged check ((acknowledged_at is null) = (acknowledged_by is null)),
  constraint incident_organization_id_project_id_fkey foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade on update cascade
);
create unique index incident_organization_id_id_key on incident (organization_id, id);
create unique index incident_organization_id_project_id_number_key on incident (organization_id, project_id, number);
create index incident_organization_id_id_idx on incident (organization_id, id desc);
create index incident_organization_id_project_id_id_idx on incident (organization_id, project_id, id desc);
create index incident_active on incident (organization_id, project_id, id desc) where state <> 'resolved';

create table incident_service (
  organization_id uuid not null,
  incident_id uuid not null,
  service_id uuid not null,
  name text not null,
  status text not null check (status in ('healthy', 'degraded', 'down', 'unknown')),
  worst text not null check (worst in ('degraded', 'down')),
  failing_since timestamptz(3) not null,
  recovered_at timestamptz(3),
  error text not null default '',
  constraint incident_service_pkey primary key (organization_id, incident_id, service_id),
  constraint incident_service_recovered check ((status = 'healthy') = (recovered_at is not null)),
  constraint incident_service_organization_id_incident_id_fkey foreign key (organization_id, incident_id)
    references incident (organization_id, id) on delete cascade on update cascade,
  constraint incident_service_organization_id_service_id_fkey foreign key (organization_id, service_id)
    references service (organization_id, id) on delete cascade on update cascade
);
create index incident_service_organization_id_service_id_idx on incident_service (organization_id, service_id);

create table incident_chain (
  organization_id uuid not null,
  incident_id uuid not null,
  chain_id uuid not null,
  at timestamptz(3) not null,
  constraint incident_chain_pkey primary key (organization_id, incident_id, chain_id),
  constraint incident_chain_organization_id_incident_id_fkey foreign key (organization_id, incident_id)
    references incident (organization_id, id) on delete cascade on update cascade,
  constraint incident_chain_organization_id_chain_id_fkey foreign key (organization_id, chain_id)
    references chain (organization_id, id) on delete cascade on update cascade
);
create index incident_chain_organization_id_chain_id_idx on incident_chain (organization_id, chain_id);

create table incident_event (
  organization_id uuid not null,
  incident_id uuid not null,
  sequence integer not null,
  at timestamptz(3) not null,
  kind text not null check (kind in ('service_failing', 'service_recovered', 'service_unknown', 'chain_started', 'chain_ended', 'look_refused', 'needs_human', 'acknowledged', 'acknowledgement_ended', 'verified', 'resolved')),
  event jsonb not null,
  constraint incident_event_pkey primary key (organization_id, incident_id, sequence),
  constraint incident_event_organization_id_incident_id_fkey foreign key (organization_id, incident_id)
    references incident (organization_id, id) on delete cascade on update cascade
);

do $$ declare t text; begin
  foreach t in array array['incident', 'incident_service', 'incident_chain', 'incident_event'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (organization_id = app.organization_id()) with check (organization_id = app.organization_id())', t);
    execute format('create policy system on %I to tierwatch_system using (true) with check (true)', t);
  end loop;
end $$;

-- Chains that a change of checks or an alert starts.
alter table chain drop constraint chain_trigger_check;
alter table chain add constraint chain_trigger_check check (trigger in ('schedule', 'manual', 'api', 'check', 'alert')) not valid;
alter table chain validate constraint chain_trigger_check;

create trigger incident_changed after insert or update on incident
  for each row execute function app.notify_project();
