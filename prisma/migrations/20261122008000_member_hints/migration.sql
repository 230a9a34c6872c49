-- Who has the members' page open sees people come, change and go.
create function app.notify_of_member() returns trigger language plpgsql as $$
begin
  perform pg_notify('tierwatch', json_build_object('t', 'o', 'id', coalesce(new.organization_id, old.organization_id))::text);
  return null;
end $$;
create trigger membership_changed after insert or update or delete on membership
  for each row execute function app.notify_of_member();
create trigger invitation_changed after insert or update or delete on invitation
  for each row execute function app.notify_of_member();
grant execute on function app.notify_of_member() to tierwatch_app, tierwatch_system;
