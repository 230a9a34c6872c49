-- Checks that give no proof, and notices that wait until an incident is no longer muted.
alter table incident add column unproven jsonb;
alter table incident add column held_notices text[] not null default '{}'
  constraint incident_held_notices check (held_notices <@ array['needs_human', 'verification_failed']);

-- Whoever is notified of a verification learns that it failed. The owner itself sees no tenant's rows.
set local role tierwatch_system;
update webhook_endpoint set event_types = array_append(event_types, 'incident.verification_failed')
where 'incident.verifying' = any (event_types);
reset role;
