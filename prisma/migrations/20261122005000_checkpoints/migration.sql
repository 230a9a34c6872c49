-- What a running session knew, kept for the time when its context or its process is gone.
create table session_checkpoints (
  id uuid not null,
  organization_id uuid not null,
  project_id uuid not null,
  session_id uuid not null,
  attempt_id uuid not null,
  attempt_seq integer not null,
  seq bigserial not null,
  harness text not null,
  project_path text not null,
  project_path_normalized text not null,
  trigger text not null check (trigger in ('periodic', 'pre_compaction', 'agent', 'explicit', 'session_end')),
  digest text not null,
  counts jsonb not null,
  recent_queries jsonb not null,
  remembered jsonb not null,
  hook_session_id text,
  at timestamptz(3) not null,
  created_at timestamptz(3) not null default current_timestamp,
  is_late boolean not null default false,
  constraint session_checkpoints_pkey primary key (id),
  constraint session_checkpoints_organization_id_session_id_fkey foreign key (organization_id, session_id)
    references session (organization_id, id) on delete cascade on update cascade,
  constraint session_checkpoints_organization_id_attempt_id_fkey foreign key (organization_id, attempt_id)
    references attempt (organization_id, id) on delete cascade on update cascade
);
create unique index session_checkpoints_organization_id_id_key on session_checkpoints (organization_id, id);
create unique index session_checkpoints_organization_id_attempt_id_attempt_seq_key
  on session_checkpoints (organization_id, attempt_id, attempt_seq);
-- All of a session; the newest of a project, of one path and of all.
create index session_checkpoints_organization_id_session_id_seq_idx on session_checkpoints (organization_id, session_id, seq desc);
create index session_checkpoints_organization_id_project_id_project_path_idx
  on session_checkpoints (organization_id, project_id, project_path_normalized, seq desc);
create index session_checkpoints_organization_id_project_id_seq_idx on session_checkpoints (organization_id, project_id, seq desc);
create index session_checkpoints_created_at_idx on session_checkpoints (created_at);
alter table session_checkpoints enable row level security;
alter table session_checkpoints force row level security;
create policy tenant on session_checkpoints using (organization_id = app.organization_id()) with check (organization_id = app.organization_id());
create policy system on session_checkpoints to tierwatch_system using (true) with check (true);

-- An operator's word that nothing of a session is to be recovered.
alter table session add column discarded_at timestamptz(3), add column discarded_by text;

-- A person asks for a checkpoint; null again once it came.
alter table attempt add column checkpoint_requested_at timestamptz(3);
