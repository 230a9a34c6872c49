-- An enabled schedule without a next run is a problem of the installation.
alter table installation_problem drop constraint installation_problem_component_check;
alter table installation_problem add constraint installation_problem_component_check
  check (component in ('web', 'worker', 'job', 'queue', 'schedule', 'runner', 'check', 'database', 'disk'));
alter table installation_problem drop constraint installation_problem_kind_check;
alter table installation_problem add constraint installation_problem_kind_check
  check (kind in ('not_reporting', 'missed_slot', 'growing', 'no_next_run', 'offline', 'clock_off', 'overdue',
    'nearly_full'));
