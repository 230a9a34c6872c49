-- Sign-ins belong to a person. They are recorded in the audit log of each of the person's organizations,
-- in one transaction and always in the same order, since each append locks the head of a log.
create function app.append_account_audit(p_user uuid, p_entries jsonb) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  org uuid;
  tenant text := current_setting('app.organization_id', true);
  logs integer := 0;
begin
  for org in select organization_id from membership where user_id = p_user order by organization_id loop
    perform set_config('app.organization_id', org::text, true);
    perform app.append_audit(p_entries);
    logs := logs + 1;
  end loop;
  perform set_config('app.organization_id', coalesce(tenant, ''), true);
  return logs;
end $$;
grant create on schema app to tierwatch_system;
alter function app.append_account_audit(uuid, jsonb) owner to tierwatch_system;
revoke create on schema app from tierwatch_system;
revoke execute on function app.append_account_audit(uuid, jsonb) from public;
grant execute on function app.append_account_audit(uuid, jsonb) to tierwatch_app, tierwatch_system;
