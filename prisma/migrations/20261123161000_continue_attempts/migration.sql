-- An attempt that went silent is continued once in its own conversation, by an attempt of this purpose.
alter table attempt drop constraint attempt_purpose;
alter table attempt add constraint attempt_purpose
  check (purpose in ('tier', 'reconcile', 'continue', 'ask') and only_mode in ('handoff', 'transcript'));
-- One in a session.
create unique index attempt_one_continue on attempt (organization_id, session_id) where purpose = 'continue';
