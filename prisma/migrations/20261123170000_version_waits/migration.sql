-- Work that waits for another version of the agent's CLI has a reason of its own.
alter table "chain" drop constraint "chain_wait_reason";
alter table "session" drop constraint "session_wait_reason";
alter table "chain" add constraint "chain_wait_reason" check
  (wait_reason in ('runner', 'pause', 'maintenance', 'budget', 'host', 'retry', 'version')) not valid;
alter table "session" add constraint "session_wait_reason" check
  (wait_reason in ('runner', 'pause', 'maintenance', 'budget', 'host', 'retry', 'version')) not valid;
-- While other writers go on.
alter table "chain" validate constraint "chain_wait_reason";
alter table "session" validate constraint "session_wait_reason";
