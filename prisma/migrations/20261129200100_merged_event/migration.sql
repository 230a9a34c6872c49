-- Whoever is notified of a resolution learns that an incident ended by a merge. The owner itself sees no tenant's rows.
set local role tierwatch_system;
update webhook_endpoint set event_types = array_append(event_types, 'incident.merged')
where 'incident.resolved' = any (event_types) and not 'incident.merged' = any (event_types);
reset role;
