-- Counts changes of the password. A sign-in that verified the password before a change doesn't open.
alter table user_account add column password_version integer not null default 0;

-- "proved_at": when the person last showed who they are in this browser, by signing in or confirming.
-- "second_factor_at": when they last did with a second factor; null: only with a password or provider.
-- "challenge": the passkey challenge that is open, if any; taken away by the answer.
alter table auth_session
  add column proved_at timestamptz(3) not null default current_timestamp,
  add column second_factor_at timestamptz(3),
  add column challenge text,
  add column challenge_expires_at timestamptz(3);
-- Older sign-ins have proved nothing recently.
update auth_session set proved_at = created_at;

alter table organization add column requires_second_factor boolean not null default false;

-- An authenticator app. "last_step" is the newest time step whose code was accepted.
create table totp_factor (
  user_id uuid not null references user_account (id) on delete cascade on update cascade,
  secret_sealed text not null,
  created_at timestamptz(3) not null default current_timestamp,
  confirmed_at timestamptz(3),
  last_used_at timestamptz(3),
  last_step bigint,
  constraint totp_factor_pkey primary key (user_id)
);

create table passkey (
  id uuid not null,
  user_id uuid not null references user_account (id) on delete cascade on update cascade,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz(3) not null default current_timestamp,
  last_used_at timestamptz(3),
  constraint passkey_pkey primary key (id)
);
create unique index passkey_credential_id_key on passkey (credential_id);
create index passkey_user_id_idx on passkey (user_id);

create table recovery_code (
  user_id uuid not null references user_account (id) on delete cascade on update cascade,
  code_hash text not null,
  used_at timestamptz(3),
  constraint recovery_code_pkey primary key (user_id, code_hash)
);

-- A sign-in between its first and its second step. It gives access to nothing. "user_id" is null
-- while someone signs in with a passkey alone, which names them.
create table pending_sign_in (
  token_hash text not null,
  user_id uuid references user_account (id) on delete cascade on update cascade,
  method text not null,
  password_version integer,
  failures integer not null default 0,
  challenge text,
  created_at timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  constraint pending_sign_in_pkey primary key (token_hash)
);
create index pending_sign_in_user_id_idx on pending_sign_in (user_id);
create index pending_sign_in_expires_at_idx on pending_sign_in (expires_at);

drop function app.memberships_of(uuid);
create function app.memberships_of(p_user uuid)
returns table (
  organization_id uuid, slug text, name text, role text, is_demo boolean, requires_second_factor boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, o.slug, o.name, m.role, o.is_demo, o.requires_second_factor
  from membership m join organization o on o.id = m.organization_id
  where m.user_id = p_user order by o.name
$$;
grant create on schema app to tierwatch_system;
alter function app.memberships_of(uuid) owner to tierwatch_system;
revoke create on schema app from tierwatch_system;
revoke execute on function app.memberships_of(uuid) from public;
grant execute on function app.memberships_of(uuid) to tierwatch_app, tierwatch_system;

-- Open streams of members check at once whether they still may be.
create function app.notify_of_requirement() returns trigger language plpgsql as $$
begin
  perform pg_notify('tierwatch', json_build_object('t', 'a', 'id', user_id)::text)
  from membership where organization_id = new.id;
  return null;
end $$;
create trigger organization_requirement_changed after update of requires_second_factor on organization
  for each row when (new.requires_second_factor is distinct from old.requires_second_factor)
  execute function app.notify_of_requirement();
revoke execute on function app.notify_of_requirement() from public;
grant execute on function app.notify_of_requirement() to tierwatch_app, tierwatch_system;
