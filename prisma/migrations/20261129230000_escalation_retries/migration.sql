-- An escalation that fails is put off, so that it doesn't hold up the others.
alter table incident_escalation
  add column tries integer not null default 0 check (tries >= 0),
  add column retry_at timestamptz(3);

-- How often the current message about a problem may have been sent without a record that it was.
alter table installation_problem add column unconfirmed integer not null default 0 check (unconfirmed >= 0);
