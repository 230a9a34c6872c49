-- Any login of a database may listen on any of its channels, and hints name sessions, projects and
-- people of every organization. So their channel has a name that only the control plane can read.
create table app.live_channel (name text primary key);
insert into app.live_channel values ('tierwatch_' || replace(gen_random_uuid()::text, '-', ''));
grant select on app.live_channel to tierwatch_app, tierwatch_system;

create function app.send_hint(p_hint json) returns void language sql as $$
  select pg_notify((select name from app.live_channel), p_hint::text)
$$;

create or replace function app.notify_session_events() returns trigger language plpgsql as $$
begin
  perform app.send_hint(json_build_object('t', 's', 'id', session_id, 'seq', max(seq)))
  from inserted group by session_id;
  return null;
end $$;

create or replace function app.notify_project() returns trigger language plpgsql as $$
begin
  perform app.send_hint(json_build_object('t', 'p', 'id', new.project_id, 'o', new.organization_id));
  return null;
end $$;

create or replace function app.notify_organization() returns trigger language plpgsql as $$
begin
  perform app.send_hint(json_build_object('t', 'o', 'id', new.organization_id));
  return null;
end $$;

create or replace function app.notify_of_member() returns trigger language plpgsql as $$
begin
  perform app.send_hint(json_build_object('t', 'o', 'id', coalesce(new.organization_id, old.organization_id)));
  return null;
end $$;

create or replace function app.notify_of_pause() returns trigger language plpgsql as $$
declare r record;
begin
  r := coalesce(new, old);
  perform app.send_hint(json_build_object('t', 'o', 'id', r.organization_id));
  return null;
end $$;

create or replace function app.notify_of_organization() returns trigger language plpgsql as $$
begin
  perform app.send_hint(json_build_object('t', 'o', 'id', new.id));
  perform app.send_hint(json_build_object('t', 'p', 'id', p.id)) from project p where p.organization_id = new.id;
  return null;
end $$;

create or replace function app.notify_of_project() returns trigger language plpgsql as $$
declare r record;
begin
  r := coalesce(new, old);
  perform app.send_hint(json_build_object('t', 'p', 'id', r.id, 'o', r.organization_id));
  return null;
end $$;

create or replace function app.notify_of_access() returns trigger language plpgsql as $$
declare r record;
begin
  r := coalesce(new, old);
  if tg_table_name = 'api_token' then
    perform app.send_hint(json_build_object('t', 'a', 'id', r.id));
  else
    perform app.send_hint(json_build_object('t', 'a', 'id', r.user_id));
  end if;
  return null;
end $$;

create or replace function app.notify_of_requirement() returns trigger language plpgsql as $$
begin
  perform app.send_hint(json_build_object('t', 'a', 'id', user_id))
  from membership where organization_id = new.id;
  return null;
end $$;

revoke execute on function app.send_hint(json), app.notify_of_member() from public;
grant execute on function app.send_hint(json) to tierwatch_app, tierwatch_system;

-- Only the owner of a function can revoke what everyone may do with it. These were given to
-- tierwatch_system first, so the revokes of earlier migrations had no effect.
do $$
declare f regprocedure;
begin
  for f in
    select oid::regprocedure from pg_proc
    where pronamespace = 'app'::regnamespace and proowner = 'tierwatch_system'::regrole
  loop
    set local role tierwatch_system;
    execute format('grant execute on function %s to tierwatch_app, tierwatch_system', f);
    execute format('revoke execute on function %s from public', f);
    reset role;
  end loop;
end $$;
