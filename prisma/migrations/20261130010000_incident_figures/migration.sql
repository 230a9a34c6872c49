-- What figures of incidents are read by. The service that an event is about is a column of its own, since row-level
-- security lets no expression over JSON reach an index.
alter table incident_event add column service_id uuid generated always as ((event ->> 'serviceId')::uuid) stored;

create index incident_event_failing on incident_event (organization_id, service_id, at) where kind = 'service_failing';
create index incident_event_figures on incident_event (organization_id, incident_id, sequence)
  where kind in ('acknowledged', 'chain_ended', 'verified', 'resolved');
create index incident_organization_id_opened_at_idx on incident (organization_id, opened_at desc);
create index alert_organization_id_service_id_started_at_idx on alert (organization_id, service_id, started_at);
