-- The watchdog of the installation. Its tables belong to no organization.

-- When each recurring job of the workers last ended.
create table job_run (
  name text not null,
  every_ms integer not null check (every_ms > 0),
  registered_at timestamptz(3) not null,
  last_ended_at timestamptz(3),
  failures integer not null default 0,
  constraint job_run_pkey primary key (name)
);

-- How much work waited in each queue, once a minute.
create table queue_sample (
  queue text not null,
  at timestamptz(3) not null,
  waiting integer not null,
  constraint queue_sample_pkey primary key (queue, at)
);

create table installation_problem (
  id uuid not null,
  component text not null check (component in ('web', 'worker', 'job', 'queue', 'runner', 'check', 'database', 'disk')),
  kind text not null check (kind in ('not_reporting', 'missed_slot', 'growing', 'offline', 'clock_off', 'overdue',
    'nearly_full')),
  subject text not null,
  figures jsonb not null,
  since timestamptz(3) not null,
  opened_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  clear_since timestamptz(3),
  until timestamptz(3),
  opening_sent_at timestamptz(3),
  end_sent_at timestamptz(3),
  send_after timestamptz(3),
  constraint installation_problem_pkey primary key (id),
  constraint installation_problem_end check (until is null or until >= since)
);
create unique index installation_problem_open on installation_problem (component, kind, subject) where until is null;
create index installation_problem_until on installation_problem (until) where until is not null;

-- Metrics count the incidents that are not over.
create index incident_unresolved on incident (state) where state <> 'resolved';
