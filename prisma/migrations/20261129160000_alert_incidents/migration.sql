-- Alerts open incidents, and their text taints the conversations that read it.
create table incident_alert (
  organization_id uuid not null,
  incident_id uuid not null,
  alert_id uuid not null,
  constraint incident_alert_pkey primary key (organization_id, incident_id, alert_id),
  constraint incident_alert_organization_id_incident_id_fkey foreign key (organization_id, incident_id)
    references incident (organization_id, id) on delete cascade on update cascade,
  constraint incident_alert_organization_id_alert_id_fkey foreign key (organization_id, alert_id)
    references alert (organization_id, id) on delete cascade on update cascade
);
create index incident_alert_organization_id_alert_id_idx on incident_alert (organization_id, alert_id);

alter table incident_alert enable row level security;
alter table incident_alert force row level security;
create policy tenant on incident_alert using (organization_id = app.organization_id())
  with check (organization_id = app.organization_id());
create policy system on incident_alert to tierwatch_system using (true) with check (true);

alter table incident add column alerts jsonb;

alter table incident drop constraint incident_resolution_check;
alter table incident add constraint incident_resolution_check
  check (resolution in ('recovered', 'fixed', 'removed', 'manual', 'merged', 'reported')) not valid;
alter table incident validate constraint incident_resolution_check;

alter table incident_event drop constraint incident_event_kind_check;
alter table incident_event add constraint incident_event_kind_check check (kind in (
  'service_failing', 'service_recovered', 'service_unknown', 'service_removed', 'alert_firing', 'alert_ended',
  'alerts_quiet', 'chain_started', 'chain_ended', 'look_refused', 'needs_human', 'acknowledged',
  'acknowledgement_ended', 'verified', 'resolved', 'merged')) not valid;
alter table incident_event validate constraint incident_event_kind_check;

alter table chain add column alert_ids uuid[] not null default '{}';
alter table attempt add column is_tainted boolean not null default false;
