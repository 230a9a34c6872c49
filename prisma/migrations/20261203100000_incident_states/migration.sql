-- Each state of an incident has its own facts: incidentSchema in lib/incidents/incident.ts. A test compares the CHECK
-- with it. Former versions left some behind when the state changed. The owner itself sees no tenant's rows.
set local role tierwatch_system;
update incident set state = 'acknowledged' where state = 'open' and acknowledged_at is not null;
update incident set state = 'open' where state = 'acknowledged' and acknowledged_at is null;
update incident set acknowledgement_ends_at = null where acknowledged_at is null;
update incident set needs_human_chain_id = null, unproven = null where needs_human_since is null;
update incident set look_due_at = null where state <> 'open';
update incident set verifying_since = null where state in ('open', 'acknowledged');
-- Nothing says since when: the window begins again.
update incident set verifying_since = now() where state = 'verifying' and verifying_since is null;
update incident set needs_human_since = null, needs_human_chain_id = null, unproven = null, human_due_at = null,
  held_notices = '{}'
where state in ('verifying', 'resolved');
update incident set silenced_by = null, silenced_until = null, due_at = null where state = 'resolved';
update incident set resolution = 'recovered' where resolution = 'fixed' and fix_chain_id is null;
update incident set fix_chain_id = null where state = 'resolved' and resolution <> 'fixed';
update incident set resolved_by = null where resolution is null or resolution not in ('manual', 'merged');
update incident set resolved_by = 'A person' where resolution in ('manual', 'merged') and resolved_by is null;
reset role;

alter table incident add constraint incident_state check (
  case state
    when 'open' then num_nonnulls(acknowledged_at, verifying_since) = 0
    when 'acknowledged' then acknowledged_at is not null and num_nonnulls(look_due_at, verifying_since) = 0
    when 'verifying' then verifying_since is not null and held_notices = '{}'
      and num_nonnulls(look_due_at, human_due_at, needs_human_since) = 0
    else held_notices = '{}' and (resolution = 'fixed') = (fix_chain_id is not null)
      and num_nonnulls(look_due_at, human_due_at, needs_human_since, silenced_by, due_at) = 0
  end
  and (acknowledgement_ends_at is null or acknowledged_at is not null)
  and (num_nonnulls(needs_human_chain_id, unproven) = 0 or needs_human_since is not null)
  and (resolved_by is not null) = (case resolution when 'manual' then true when 'merged' then true else false end)
) not valid;
alter table incident validate constraint incident_state;
