-- Runners replace their program on request, one of a pool at a time.
alter table runner
  add column update_requested_at timestamptz(3),
  add column update_started_at timestamptz(3),
  add column update_failure text,
  add column update_failed_at timestamptz(3),
  add constraint runner_update_turn check (update_started_at is null or update_requested_at is not null);
create unique index runner_one_update_per_pool on runner (organization_id, pool_id) where update_started_at is not null;
