-- What a person has to decide before it happens: a command of an agent, or the start of a tier.
create table approval (
  id uuid not null,
  organization_id uuid not null,
  project_id uuid not null,
  chain_id uuid not null,
  session_id uuid not null,
  attempt_id uuid not null,
  kind text not null check (kind in ('command', 'tier')),
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'refused', 'expired', 'withdrawn')),
  tier integer not null check (tier between 1 and 3),
  runner_id uuid,
  command_number integer,
  argv jsonb,
  cwd text,
  files jsonb not null default '[]',
  command_digest text,
  services text[] not null default '{}',
  rule text,
  reason text not null default '',
  digest text not null,
  requester text,
  min_role text not null check (min_role in ('operator', 'admin')),
  people_needed integer not null check (people_needed between 1 and 2),
  on_refusal text not null check (on_refusal in ('resume', 'end')),
  requested_at timestamptz(3) not null,
  held_until timestamptz(3),
  expires_at timestamptz(3) not null,
  decided_at timestamptz(3),
  grantee_id uuid,
  used_at timestamptz(3),
  used_number integer,
  constraint approval_pkey primary key (id),
  -- A command names everything that it is bound to; the start of a tier has no command.
  constraint approval_of_command check ((kind = 'command') = (argv is not null and cwd is not null
    and command_digest is not null and command_number is not null and runner_id is not null and held_until is not null)),
  constraint approval_decided check ((status = 'pending') = (decided_at is null)),
  constraint approval_used check (used_at is null or status = 'approved'),
  constraint approval_organization_id_project_id_fkey foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade on update cascade,
  constraint approval_organization_id_chain_id_fkey foreign key (organization_id, chain_id)
    references chain (organization_id, id) on delete cascade on update cascade,
  constraint approval_organization_id_session_id_fkey foreign key (organization_id, session_id)
    references session (organization_id, id) on delete cascade on update cascade,
  constraint approval_organization_id_attempt_id_fkey foreign key (organization_id, attempt_id)
    references attempt (organization_id, id) on delete cascade on update cascade
);
create unique index approval_organization_id_id_key on approval (organization_id, id);
-- A command is asked about once, however often its runner repeats the request.
create unique index approval_organization_id_attempt_id_command_number_key
  on approval (organization_id, attempt_id, command_number);
create unique index approval_of_tier on approval (organization_id, attempt_id) where kind = 'tier';
create index approval_organization_id_session_id_idx on approval (organization_id, session_id);
create index approval_organization_id_chain_id_idx on approval (organization_id, chain_id);
create index approval_organization_id_status_id_idx on approval (organization_id, status, id desc);
create index approval_status_expires_at_idx on approval (status, expires_at);

create table approval_vote (
  organization_id uuid not null,
  approval_id uuid not null,
  person text not null,
  verdict text not null check (verdict in ('approve', 'refuse')),
  note text not null default '',
  via text not null check (via in ('page', 'api')),
  voted_at timestamptz(3) not null,
  constraint approval_vote_pkey primary key (organization_id, approval_id, person),
  constraint approval_vote_organization_id_approval_id_fkey foreign key (organization_id, approval_id)
    references approval (organization_id, id) on delete cascade on update cascade
);

do $$
declare t text;
begin
  foreach t in array array['approval', 'approval_vote'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (organization_id = app.organization_id()) with check (organization_id = app.organization_id())', t);
    execute format('create policy system on %I to tierwatch_system using (true) with check (true)', t);
  end loop;
end $$;

create trigger approval_changed after insert or update of status, used_at on approval
  for each row execute function app.notify_project();

-- The person behind a start, also where a token of theirs made it. They don't decide about it.
alter table chain add column requested_person text;

-- An attempt that continues a conversation after a person has decided.
alter table attempt drop constraint attempt_purpose;
alter table attempt add constraint attempt_purpose
  check (purpose in ('tier', 'reconcile', 'continue', 'approval', 'ask') and only_mode in ('handoff', 'transcript')) not valid;
alter table chain drop constraint chain_wait_reason;
alter table session drop constraint session_wait_reason;
alter table chain add constraint chain_wait_reason check
  (wait_reason in ('runner', 'pause', 'maintenance', 'budget', 'host', 'retry', 'version', 'approval', 'canary')) not valid;
alter table session add constraint session_wait_reason check
  (wait_reason in ('runner', 'pause', 'maintenance', 'budget', 'host', 'retry', 'version', 'approval', 'canary')) not valid;
