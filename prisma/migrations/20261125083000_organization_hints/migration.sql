-- Every open page shows the names of its organization and project, and whether they are paused.
create function app.notify_of_organization() returns trigger language plpgsql as $$
begin
  perform pg_notify('tierwatch', json_build_object('t', 'o', 'id', new.id)::text);
  perform pg_notify('tierwatch', json_build_object('t', 'p', 'id', p.id)::text) from project p where p.organization_id = new.id;
  return null;
end $$;
create trigger organization_changed after update of name, slug, paused_at on organization
  for each row execute function app.notify_of_organization();

drop trigger project_paused on project;
create function app.notify_of_project() returns trigger language plpgsql as $$
declare r record;
begin
  r := coalesce(new, old);
  perform pg_notify('tierwatch', json_build_object('t', 'p', 'id', r.id, 'o', r.organization_id)::text);
  return null;
end $$;
create trigger project_changed after delete or update of name, slug, paused_at on project
  for each row execute function app.notify_of_project();

revoke execute on function app.notify_of_organization(), app.notify_of_project() from public;
grant execute on function app.notify_of_organization(), app.notify_of_project() to tierwatch_app, tierwatch_system;
