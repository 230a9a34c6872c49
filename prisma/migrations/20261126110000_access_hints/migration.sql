-- Streams that are open check at once whether they still may be: a membership, a sign-in or a token
-- has changed. The hint names the person, or the token.
create function app.notify_of_access() returns trigger language plpgsql as $$
declare r record;
begin
  r := coalesce(new, old);
  if tg_table_name = 'api_token' then
    perform pg_notify('tierwatch', json_build_object('t', 'a', 'id', r.id)::text);
  else
    perform pg_notify('tierwatch', json_build_object('t', 'a', 'id', r.user_id)::text);
  end if;
  return null;
end $$;
create trigger membership_access_changed after insert or delete or update of role on membership
  for each row execute function app.notify_of_access();
create trigger auth_session_access_changed after update of revoked_at on auth_session
  for each row execute function app.notify_of_access();
create trigger api_token_access_changed after delete or update of revoked_at, role on api_token
  for each row execute function app.notify_of_access();

revoke execute on function app.notify_of_access() from public;
grant execute on function app.notify_of_access() to tierwatch_app, tierwatch_system;
