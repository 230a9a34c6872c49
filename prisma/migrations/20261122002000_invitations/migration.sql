-- Invitations into an organization, and links that set a new password.

create table invitation (
  id uuid not null,
  organization_id uuid not null references organization (id) on delete cascade on update cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'operator', 'viewer')),
  token_hash text not null,
  invited_by text not null,
  created_at timestamptz(3) not null default current_timestamp,
  sent_at timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  constraint invitation_pkey primary key (id),
  constraint invitation_one_end check (accepted_at is null or revoked_at is null)
);
create unique index invitation_token_hash_key on invitation (token_hash);
create unique index invitation_organization_id_id_key on invitation (organization_id, id);
-- One open invitation an address; a new one for it is a new link of the same row.
create unique index invitation_one_open on invitation (organization_id, email)
  where accepted_at is null and revoked_at is null;
-- Whether an address is invited anywhere is asked before a tenant is known.
create index invitation_email_idx on invitation (email) where accepted_at is null and revoked_at is null;

alter table invitation enable row level security;
alter table invitation force row level security;
create policy tenant on invitation using (organization_id = app.organization_id()) with check (organization_id = app.organization_id());
create policy system on invitation to tierwatch_system using (true) with check (true);

-- Of people, who belong to no organization.
create table password_reset (
  token_hash text not null,
  user_id uuid not null references user_account (id) on delete cascade on update cascade,
  created_at timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  constraint password_reset_pkey primary key (token_hash)
);
create index password_reset_user_id_idx on password_reset (user_id);

create function app.find_invitation(p_hash text)
returns table (
  id uuid, organization_id uuid, organization_slug text, organization_name text, email text, role text,
  invited_by text, expires_at timestamptz, accepted_at timestamptz, revoked_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select i.id, i.organization_id, o.slug, o.name, i.email, i.role, i.invited_by, i.expires_at, i.accepted_at, i.revoked_at
  from invitation i join organization o on o.id = i.organization_id
  where i.token_hash = p_hash
$$;

create function app.is_invited(p_email text, p_now timestamptz) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (
    select from invitation
    where email = p_email and accepted_at is null and revoked_at is null and expires_at > p_now)
$$;

-- A definer function runs as its owner, and the owner that migrates sees no rows without a tenant.
grant create on schema app to tierwatch_system;
alter function app.find_invitation(text) owner to tierwatch_system;
alter function app.is_invited(text, timestamptz) owner to tierwatch_system;
revoke create on schema app from tierwatch_system;
revoke execute on function app.find_invitation(text) from public;
revoke execute on function app.is_invited(text, timestamptz) from public;
grant execute on function app.find_invitation(text) to tierwatch_app, tierwatch_system;
grant execute on function app.is_invited(text, timestamptz) to tierwatch_app, tierwatch_system;
