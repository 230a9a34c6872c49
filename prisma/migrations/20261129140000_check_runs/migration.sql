-- Which run of a check the last result is of: the process that ran it, and its number there.
alter table service_check
  add column last_run_process uuid,
  add column last_run_number bigint,
  add column overdue_at timestamptz(3),
  add constraint service_check_last_run check ((last_run_process is null) = (last_run_number is null));

create index service_check_overdue on service_check (overdue_at) where overdue_at is not null;

create index check_hour_hour_idx on check_hour (hour);

-- The pool that runs the checks, as the configuration names it, so that sweeps need no configuration.
alter table checker
  add column pool text not null default '',
  add column blocked_since timestamptz(3),
  add column blocked_reason text check (blocked_reason in ('no_runner', 'runner_offline')),
  add column block_reported_at timestamptz(3),
  add constraint checker_blocked check ((blocked_since is null) = (blocked_reason is null)
    and (block_reported_at is null or blocked_since is not null));
create index checker_without_runner on checker (organization_id, project_id) where is_on and runner_id is null;
create index checker_blocked_idx on checker (organization_id, project_id) where blocked_since is not null;

-- The version of the configuration that a project's checks are from; null before there are any.
alter table project add column checks_version integer;
create index project_outdated_checks on project (id) where checks_version is distinct from current_version;

-- The owner itself sees no tenant's rows.
set local role tierwatch_system;
-- 2 intervals and 75 s, as in lib/monitoring/overdue.ts.
update service_check set overdue_at = last_at + interval '1 second' * (every_seconds * 2 + 75)
  where removed_at is null and status <> 'unknown' and last_at is not null;
update checker c set pool = v.runner_pool from project_version v
  where v.organization_id = c.organization_id and v.project_id = c.project_id and v.version = c.version;
update project p set checks_version = c.version from checker c
  where c.organization_id = p.organization_id and c.project_id = p.id;
reset role;
