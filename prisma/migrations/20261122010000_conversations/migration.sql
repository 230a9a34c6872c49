-- What operators ask the agent, and what it answers.
create table conversation (
  id uuid not null,
  organization_id uuid not null,
  project_id uuid not null,
  chain_id uuid,
  title text not null,
  created_by text not null,
  created_at timestamptz(3) not null default current_timestamp,
  last_turn_at timestamptz(3) not null default current_timestamp,
  constraint conversation_pkey primary key (id),
  constraint conversation_organization_id_project_id_fkey foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade on update cascade,
  constraint conversation_organization_id_chain_id_fkey foreign key (organization_id, chain_id)
    references chain (organization_id, id) on delete cascade on update cascade
);
create unique index conversation_organization_id_id_key on conversation (organization_id, id);
create index conversation_organization_id_project_id_last_turn_at_idx
  on conversation (organization_id, project_id, last_turn_at desc);
create index conversation_organization_id_chain_id_idx on conversation (organization_id, chain_id);

create table turn (
  id uuid not null,
  organization_id uuid not null,
  project_id uuid not null,
  conversation_id uuid not null,
  session_id uuid not null,
  position integer not null check (position > 0),
  agent text not null,
  author text not null,
  message text not null,
  answer text,
  is_forced_fresh boolean not null default false,
  epoch integer not null,
  created_at timestamptz(3) not null default current_timestamp,
  cut_at timestamptz(3),
  cut_by text,
  constraint turn_pkey primary key (id),
  constraint turn_cut check ((cut_at is null) = (cut_by is null)),
  constraint turn_organization_id_conversation_id_fkey foreign key (organization_id, conversation_id)
    references conversation (organization_id, id) on delete cascade on update cascade,
  constraint turn_organization_id_session_id_fkey foreign key (organization_id, session_id)
    references session (organization_id, id) on delete cascade on update cascade
);
create unique index turn_organization_id_id_key on turn (organization_id, id);
create unique index turn_organization_id_session_id_key on turn (organization_id, session_id);
create index turn_organization_id_conversation_id_position_idx on turn (organization_id, conversation_id, position);
create unique index turn_in_history on turn (organization_id, conversation_id, position) where cut_at is null;

create table agent_epoch (
  organization_id uuid not null,
  conversation_id uuid not null,
  agent text not null,
  epoch integer not null default 0,
  constraint agent_epoch_pkey primary key (organization_id, conversation_id, agent),
  constraint agent_epoch_organization_id_conversation_id_fkey foreign key (organization_id, conversation_id)
    references conversation (organization_id, id) on delete cascade on update cascade
);

create table question (
  id uuid not null,
  organization_id uuid not null,
  project_id uuid not null,
  turn_id uuid not null,
  attempt_id uuid not null,
  request_id text not null,
  questions jsonb not null,
  answers jsonb,
  status text not null default 'open' check (status in ('open', 'answered', 'expired', 'cancelled')),
  asked_at timestamptz(3) not null,
  answered_by text,
  answered_at timestamptz(3),
  closed_at timestamptz(3),
  constraint question_pkey primary key (id),
  constraint question_answered check ((answers is null) = (answered_at is null)),
  constraint question_organization_id_turn_id_fkey foreign key (organization_id, turn_id)
    references turn (organization_id, id) on delete cascade on update cascade,
  constraint question_organization_id_attempt_id_fkey foreign key (organization_id, attempt_id)
    references attempt (organization_id, id) on delete cascade on update cascade
);
create unique index question_organization_id_id_key on question (organization_id, id);
create unique index question_organization_id_attempt_id_request_id_key on question (organization_id, attempt_id, request_id);
create index question_organization_id_turn_id_idx on question (organization_id, turn_id);

do $$
declare t text;
begin
  foreach t in array array['conversation', 'turn', 'agent_epoch', 'question'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (organization_id = app.organization_id()) with check (organization_id = app.organization_id())', t);
    execute format('create policy system on %I to tierwatch_system using (true) with check (true)', t);
  end loop;
end $$;

-- A turn of a conversation is a session of its own kind, and of no chain.
alter table session alter column chain_id drop not null;
alter table session add constraint session_of_chain check ((kind = 'tier') = (chain_id is not null));
alter table decision alter column chain_id drop not null;
do $$
declare r record;
begin
  for r in
    select conrelid::regclass as owner, conname from pg_constraint
    where contype = 'c' and (
      (conrelid = 'session'::regclass and pg_get_constraintdef(oid) like '%mechanism%')
      or (conrelid = 'attempt'::regclass and pg_get_constraintdef(oid) like '%purpose%'))
  loop
    execute format('alter table %s drop constraint %I', r.owner, r.conname);
  end loop;
end $$;
alter table session add constraint session_mechanism check (mechanism in ('fresh', 'resume', 'handoff', 'transcript'));
alter table attempt add constraint attempt_purpose
  check (purpose in ('tier', 'reconcile', 'ask') and only_mode in ('handoff', 'transcript'));

-- Pages of a conversation hear of its turns and of what the agent asks.
create trigger turn_changed after insert or update of answer, cut_at on turn
  for each row execute function app.notify_project();
create trigger question_changed after insert or update of status, answers on question
  for each row execute function app.notify_project();
