-- Encrypted copies of conversations, so that another host can continue them.
create table seal_key (
  id uuid not null,
  organization_id uuid not null,
  wrapped_key text not null,
  created_at timestamptz(3) not null default current_timestamp,
  constraint seal_key_pkey primary key (id),
  constraint seal_key_organization_id_fkey foreign key (organization_id)
    references organization (id) on delete cascade on update cascade
);
create unique index seal_key_organization_id_key on seal_key (organization_id);
create unique index seal_key_organization_id_id_key on seal_key (organization_id, id);

create table seal (
  id uuid not null,
  organization_id uuid not null,
  project_id uuid not null,
  session_id uuid not null,
  attempt_id uuid not null,
  key_id uuid not null,
  wrapped_key text not null,
  storage text not null check (storage in ('postgresql', 's3')),
  bytes integer not null check (bytes > 0),
  stored_bytes integer not null check (stored_bytes > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) not null default current_timestamp,
  written_at timestamptz(3),
  expires_at timestamptz(3) not null,
  fault text check (fault in ('missing', 'damaged')),
  constraint seal_pkey primary key (id),
  constraint seal_organization_id_key_id_fkey foreign key (organization_id, key_id)
    references seal_key (organization_id, id) on delete cascade on update cascade,
  constraint seal_organization_id_attempt_id_fkey foreign key (organization_id, attempt_id)
    references attempt (organization_id, id) on delete cascade on update cascade
);
create unique index seal_organization_id_id_key on seal (organization_id, id);
create index seal_organization_id_attempt_id_idx on seal (organization_id, attempt_id);
create index seal_organization_id_session_id_idx on seal (organization_id, session_id);
create index seal_expires_at_idx on seal (expires_at);
-- An attempt has one complete seal, however often its upload was repeated.
create unique index seal_one_complete on seal (organization_id, attempt_id) where written_at is not null;

create table seal_blob (
  organization_id uuid not null,
  seal_id uuid not null,
  content bytea not null,
  constraint seal_blob_pkey primary key (organization_id, seal_id),
  constraint seal_blob_organization_id_seal_id_fkey foreign key (organization_id, seal_id)
    references seal (organization_id, id) on delete cascade on update cascade
);
-- It is compressed and encrypted already.
alter table seal_blob alter column content set storage external;

-- Objects outside of the database whose seal was deleted, in whatever way. No tenant is in it.
create table seal_removal (
  seal_id uuid not null,
  requested_at timestamptz(3) not null default current_timestamp,
  constraint seal_removal_pkey primary key (seal_id)
);
create function app.remember_removed_seal() returns trigger language plpgsql as $$
begin
  insert into public.seal_removal (seal_id) values (old.id) on conflict do nothing;
  return old;
end $$;
create trigger seal_removed after delete on seal for each row
  when (old.storage <> 'postgresql') execute function app.remember_removed_seal();
revoke execute on function app.remember_removed_seal() from public;
grant execute on function app.remember_removed_seal() to tierwatch_app, tierwatch_system;

do $$
declare t text;
begin
  foreach t in array array['seal_key', 'seal', 'seal_blob'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy tenant on %I using (organization_id = app.organization_id()) with check (organization_id = app.organization_id())', t);
    execute format('create policy system on %I to tierwatch_system using (true) with check (true)', t);
  end loop;
end $$;

-- Why a runner kept an attempt's conversation to itself.
-- Validated by the next migration, which lets writers go on.
alter table attempt add column seal_refusal text;
alter table attempt add constraint attempt_seal_refusal_check
  check (seal_refusal in ('too_large', 'secrets')) not valid;
