-- Why queued and waiting work doesn't run, as state: until now it was read back from its sentence.
-- Adding a column without a default rewrites nothing, and a check that isn't validated reads nothing.
alter table "chain" add column "wait_reason" text;
alter table "session" add column "wait_reason" text;
alter table "chain" add constraint "chain_wait_reason" check
  (wait_reason in ('runner', 'pause', 'maintenance', 'budget', 'host', 'retry')) not valid;
alter table "session" add constraint "session_wait_reason" check
  (wait_reason in ('runner', 'pause', 'maintenance', 'budget', 'host', 'retry')) not valid;
-- While other writers go on.
alter table "chain" validate constraint "chain_wait_reason";
alter table "session" validate constraint "session_wait_reason";

update "chain" set wait_reason = 'runner'
  where status in ('queued', 'waiting')
    and (status_text like 'Waiting for a runner%' or status_text like 'Tier _ waits for a runner.');
update "session" set wait_reason = 'runner'
  where status in ('queued', 'waiting') and status_text like 'Waiting for a runner%';
