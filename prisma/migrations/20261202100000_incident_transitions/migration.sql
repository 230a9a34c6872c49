-- A reopened incident is open: its acknowledgement has ended with it. INCIDENT_TRANSITIONS in
-- lib/incidents/states.ts; a test compares the trigger with it.
drop trigger incident_transition on incident;
create trigger incident_transition before update of state on incident
  for each row when (old.state is distinct from new.state)
  execute function app.require_transition('state', '{"open": ["acknowledged", "verifying", "resolved"], "acknowledged": ["open", "verifying", "resolved"], "verifying": ["open", "acknowledged", "resolved"], "resolved": ["open"]}');
