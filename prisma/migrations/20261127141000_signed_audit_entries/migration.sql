-- Who holds the application's login could append entries under any actor's name. Entries now carry a
-- proof: HMAC-SHA256 with a key that is made from the installation's secret key. Neither login can read
-- the database's copy, which every deploy writes.
create table app.audit_key (
  is_one boolean primary key default true check (is_one),
  -- The key, padded to a block of 64 bytes, xor 0x36 and xor 0x5c: sha256 is all that HMAC needs then.
  inner_pad bytea not null check (length(inner_pad) = 64),
  outer_pad bytea not null check (length(outer_pad) = 64)
);

create function app.require_audit_proof(p_kind text, p_subject uuid, p_entries text, p_proof bytea) returns void
language plpgsql stable security definer set search_path = app, pg_temp as $$
declare key app.audit_key;
begin
  select * into key from app.audit_key;
  if not found then
    raise exception 'The audit key is missing. Run the migration step of this version (node scripts/serve.mjs migrate).'
      using errcode = '42501';
  end if;
  if p_proof is distinct from sha256(key.outer_pad || sha256(
    key.inner_pad || convert_to(p_kind || E'\n' || p_subject || E'\n' || p_entries, 'UTF8'))) then
    raise exception 'The audit entry is not signed with this installation''s secret key. Every process needs the TIERWATCH_SECRET_KEY that the last migration step ran with.'
      using errcode = '42501';
  end if;
end $$;

alter function app.append_audit(jsonb) rename to append_proven_audit;

create function app.append_audit(p_entries text, p_proof bytea) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform app.require_audit_proof('organization', app.organization_id(), p_entries, p_proof);
  return app.append_proven_audit(p_entries::jsonb);
end $$;

drop function app.append_account_audit(uuid, jsonb);
create function app.append_account_audit(p_user uuid, p_entries text, p_proof bytea) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  org uuid;
  tenant text := current_setting('app.organization_id', true);
  logs integer := 0;
begin
  perform app.require_audit_proof('person', p_user, p_entries, p_proof);
  for org in select organization_id from membership where user_id = p_user order by organization_id loop
    perform set_config('app.organization_id', org::text, true);
    perform app.append_proven_audit(p_entries::jsonb);
    logs := logs + 1;
  end loop;
  perform set_config('app.organization_id', coalesce(tenant, ''), true);
  return logs;
end $$;
grant create on schema app to tierwatch_system;
alter function app.append_account_audit(uuid, text, bytea) owner to tierwatch_system;
revoke create on schema app from tierwatch_system;
do $$ begin
  set local role tierwatch_system;
  revoke execute on function app.append_account_audit(uuid, text, bytea) from public;
  grant execute on function app.append_account_audit(uuid, text, bytea) to tierwatch_app;
  reset role;
end $$;

revoke execute on function app.append_proven_audit(jsonb), app.require_audit_proof(text, uuid, text, bytea),
  app.append_audit(text, bytea) from public;
revoke execute on function app.append_proven_audit(jsonb) from tierwatch_app;
grant execute on function app.append_proven_audit(jsonb), app.require_audit_proof(text, uuid, text, bytea) to tierwatch_system;
grant execute on function app.append_audit(text, bytea) to tierwatch_app, tierwatch_system;
