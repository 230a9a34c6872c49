-- What the pages show about a runner's update and about a second host with its key.
create trigger runner_update_changed
  after update of update_requested_at, update_started_at, update_failure, second_host_at on runner
  for each row
  when (
    (old.update_requested_at, old.update_started_at, old.update_failure, old.second_host_at)
    is distinct from
    (new.update_requested_at, new.update_started_at, new.update_failure, new.second_host_at)
  )
  execute function app.notify_organization();
