-- Deleting a project deletes what it found out; what it spent stays, under the name it had.
create table deleted_project (
  organization_id uuid not null references organization (id) on delete cascade on update cascade,
  project_id uuid not null,
  name text not null,
  slug text not null,
  deleted_at timestamptz(3) not null default current_timestamp,
  deleted_by text not null,
  constraint deleted_project_pkey primary key (organization_id, project_id)
);
alter table deleted_project enable row level security;
alter table deleted_project force row level security;
create policy tenant on deleted_project using (organization_id = app.organization_id()) with check (organization_id = app.organization_id());
create policy system on deleted_project to tierwatch_system using (true) with check (true);

-- A token may do no more than who made it: an admin's token deletes no project.
alter table api_token add column role text not null default 'admin' check (role in ('admin', 'owner'));
alter table api_token alter column role drop default;

drop function app.find_api_token(text);
create function app.find_api_token(p_hash text)
returns table (organization_id uuid, id uuid, name text, scopes text[], role text, expires_at timestamptz, revoked_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.organization_id, t.id, t.name, t.scopes, t.role, t.expires_at, t.revoked_at from api_token t where t.token_hash = p_hash
$$;
grant create on schema app to tierwatch_system;
alter function app.find_api_token(text) owner to tierwatch_system;
revoke create on schema app from tierwatch_system;
revoke execute on function app.find_api_token(text) from public;
grant execute on function app.find_api_token(text) to tierwatch_app, tierwatch_system;
