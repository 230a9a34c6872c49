-- A runner that restarted may have spawned the agent before, so only the process that
-- claimed an attempt of tier 2 or 3 gets the same answer again.
alter table attempt add column claimed_by_process uuid;
