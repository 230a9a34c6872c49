-- A service that leaves its project or its checks leaves the incident.
alter table incident_event drop constraint incident_event_kind_check;
alter table incident_event add constraint incident_event_kind_check check (kind in ('service_failing', 'service_recovered', 'service_unknown', 'service_removed', 'chain_started', 'chain_ended', 'look_refused', 'needs_human', 'acknowledged', 'acknowledgement_ended', 'verified', 'resolved')) not valid;
alter table incident_event validate constraint incident_event_kind_check;
alter table incident drop constraint incident_resolution_check;
alter table incident add constraint incident_resolution_check check (resolution in ('recovered', 'fixed', 'removed', 'manual', 'merged')) not valid;
alter table incident validate constraint incident_resolution_check;

alter table incident_service add column removed_at timestamptz(3);
alter table incident_service add column was_failing boolean not null default true;
alter table incident_service add column relapses integer not null default 0;

-- When the sweep looks at an incident next.
alter table incident add column due_at timestamptz(3);
create index incident_due on incident (due_at) where due_at is not null;

-- Only events change what pages show, and each raises the sequence.
drop trigger incident_changed on incident;
create trigger incident_inserted after insert on incident
  for each row execute function app.notify_project();
create trigger incident_changed after update of sequence on incident
  for each row execute function app.notify_project();

-- Services that a person works on, so that no agent does.
create table service_hold (
  organization_id uuid not null,
  service_id uuid not null,
  project_id uuid not null,
  held_by text not null,
  held_until timestamptz(3),
  incident_number integer not null,
  constraint service_hold_pkey primary key (organization_id, service_id),
  constraint service_hold_organization_id_service_id_fkey foreign key (organization_id, service_id)
    references service (organization_id, id) on delete cascade on update cascade
);
create index service_hold_organization_id_project_id_idx on service_hold (organization_id, project_id);
alter table service_hold enable row level security;
alter table service_hold force row level security;
create policy tenant on service_hold
  using (organization_id = app.organization_id()) with check (organization_id = app.organization_id());
create policy system on service_hold to tierwatch_system using (true) with check (true);

-- The owner itself sees no tenant's rows.
set local role tierwatch_system;
update incident_service set was_failing = false where status = 'healthy';
update incident set due_at = now() where state <> 'resolved';
insert into service_hold (organization_id, service_id, project_id, held_by, held_until, incident_number)
select distinct on (s.organization_id, s.service_id) s.organization_id, s.service_id, i.project_id,
  i.acknowledged_by, i.acknowledgement_ends_at, i.number
from incident i join incident_service s on s.organization_id = i.organization_id and s.incident_id = i.id
where i.state <> 'resolved' and i.acknowledged_by is not null
order by s.organization_id, s.service_id, i.id desc;
reset role;
