-- Incidents that are the same outage are merged.
alter table incident_event drop constraint incident_event_kind_check;
alter table incident_event add constraint incident_event_kind_check check (kind in (
  'service_failing', 'service_recovered', 'service_unknown', 'service_removed', 'alert_firing', 'alert_ended',
  'alerts_quiet', 'chain_started', 'chain_ended', 'look_refused', 'needs_human', 'acknowledged',
  'acknowledgement_ended', 'verified', 'resolved', 'merged', 'joined', 'silenced', 'silence_ended')) not valid;
alter table incident_event validate constraint incident_event_kind_check;

alter table incident add constraint incident_merged
  check ((resolution is not distinct from 'merged') = (merged_into_id is not null)) not valid;
alter table incident validate constraint incident_merged;
alter table incident add constraint incident_organization_id_merged_into_id_fkey
  foreign key (organization_id, merged_into_id) references incident (organization_id, id) not valid;
alter table incident validate constraint incident_organization_id_merged_into_id_fkey;
create index incident_merged_into on incident (organization_id, merged_into_id) where merged_into_id is not null;

alter table incident add constraint incident_silenced
  check (silenced_until is null or silenced_by is not null) not valid;
alter table incident validate constraint incident_silenced;
