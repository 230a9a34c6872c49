-- Work that a runner has left to one of its pool that can confine agents. The rows that exist keep to the
-- narrower list that is dropped here, so there is nothing to validate. Sessions first, as the engine locks them.
alter table session drop constraint session_wait_reason;
alter table session add constraint session_wait_reason check
  (wait_reason in ('runner', 'pause', 'maintenance', 'budget', 'host', 'retry', 'version', 'approval', 'canary', 'isolation')) not valid;
alter table chain drop constraint chain_wait_reason;
alter table chain add constraint chain_wait_reason check
  (wait_reason in ('runner', 'pause', 'maintenance', 'budget', 'host', 'retry', 'version', 'approval', 'canary', 'isolation')) not valid;
