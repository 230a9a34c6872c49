-- Roles, row-level security, value checks, functions. Prisma does not see any of these.

-- Roles are shared by all databases of a cluster, so they may exist already.
do $$
declare r text;
begin
  foreach r in array array['tierwatch_app', 'tierwatch_system', 'tierwatch_runner'] loop
    begin
      if not exists (select from pg_roles where rolname = r) then
        execute format('create role %I nologin', r);
      end if;
      if not pg_has_role(current_user, r, 'SET') then
        execute format('grant %I to %I with set true, inherit false', r, current_user);
      end if;
    exception when insufficient_privilege or duplicate_object or unique_violation then
      raise notice 'role %: %', r, sqlerrm;
    end;
  end loop;
end $$;

create schema app;

-- After a transaction with SET LOCAL the setting is '' and not null.
create function app.organization_id() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('app.organization_id', true), '')::uuid
$$;

do $$
declare t text;
begin
  for t in
    select c.relname from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format(
      'create policy tenant on %I using (organization_id = app.organization_id()) with check (organization_id = app.organization_id())', t);
    execute format('create policy system on %I to tierwatch_system using (true) with check (true)', t);
  end loop;
end $$;

alter table organization enable row level security;
alter table organization force row level security;
create policy tenant on organization using (id = app.organization_id()) with check (id = app.organization_id());
create policy system on organization to tierwatch_system using (true) with check (true);

-- Values -------------------------------------------------------------------------------------

alter table membership add check (role in ('owner', 'admin', 'operator', 'viewer'));
alter table service add check (status in ('healthy', 'degraded', 'down', 'unknown'));
alter table service_health add check (status in ('healthy', 'degraded', 'down') and status_before in ('healthy', 'degraded', 'down'));
alter table threshold add check (kind in ('context_share', 'attempt_usd', 'chain_usd', 'day_usd', 'month_usd', 'turns', 'wall_seconds', 'stall_seconds') and tier between 0 and 3);
alter table cooldown_action add check (action in ('restart', 'redeploy') and source in ('command', 'report'));
alter table project_event add check (level in ('info', 'warning', 'critical'));
alter table chain add check (trigger in ('schedule', 'manual', 'api'));
alter table chain add check (status in ('queued', 'waiting', 'running', 'stopping', 'ended'));
alter table chain add check (outcome in ('healthy', 'findings', 'fixed', 'suppressed', 'needs_human', 'failed', 'lost', 'stopped', 'skipped'));
alter table chain add constraint chain_outcome_ends check ((status = 'ended') = (outcome is not null) and (outcome is null) = (ended_at is null));
alter table session add check (kind in ('tier', 'ask') and tier between 1 and 3);
alter table session add check (status in ('queued', 'waiting', 'running', 'stopping', 'stopped', 'completed', 'escalated', 'failed', 'lost', 'timed_out', 'refused'));
alter table session add check (mechanism in ('fresh', 'resume', 'handoff'));
alter table session add constraint session_end_time check ((status in ('queued', 'waiting', 'running', 'stopping')) = (ended_at is null));
alter table attempt add check (purpose in ('tier', 'reconcile') and only_mode in ('handoff'));
alter table attempt add check (status in ('queued', 'claimed', 'running', 'stopping', 'ended'));
alter table attempt add constraint attempt_end_kind check ((status = 'ended') = (end_kind is not null));
alter table decision add check (kind in ('escalation', 'continuation', 'after_end'));
alter table handoff add check (source in ('built', 'file') and to_tier between 2 and 3);
alter table pointer add check (state in ('confirmed', 'unconfirmed', 'retired'));
alter table ledger_entry add check (cost_micros >= 0 and input_tokens >= 0 and output_tokens >= 0 and cache_read_tokens >= 0 and cache_write_tokens >= 0);
alter table webhook_delivery add check (status in ('scheduled', 'sending', 'retrying', 'delivered', 'exhausted', 'refused', 'cancelled'));

-- The nets under the engine: one live chain a project, one live session a chain, one live attempt a session.
create unique index chain_one_live on chain (project_id) where status <> 'ended';
create unique index session_one_live on session (chain_id) where status in ('queued', 'waiting', 'running', 'stopping');
create unique index attempt_one_live on attempt (session_id) where status <> 'ended';

-- Before a tenant is known ---------------------------------------------------------------------
-- Narrow look-ups by a secret or by the signed-in person; they run as tierwatch_system.

create function app.memberships_of(p_user uuid)
returns table (organization_id uuid, slug text, name text, role text, is_demo boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, o.slug, o.name, m.role, o.is_demo
  from membership m join organization o on o.id = m.organization_id
  where m.user_id = p_user order by o.name
$$;

create function app.organization_slug_taken(p_slug text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from organization where slug = p_slug)
$$;

create function app.find_api_token(p_hash text)
returns table (organization_id uuid, id uuid, name text, scopes text[], expires_at timestamptz, revoked_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.organization_id, t.id, t.name, t.scopes, t.expires_at, t.revoked_at from api_token t where t.token_hash = p_hash
$$;

create function app.find_runner(p_hash text)
returns table (organization_id uuid, id uuid, name text, revoked_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.organization_id, r.id, r.name, r.revoked_at from runner r where r.key_hash = p_hash
$$;

create function app.find_enrolment_token(p_hash text)
returns table (organization_id uuid, id uuid, expires_at timestamptz, used_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.organization_id, e.id, e.expires_at, e.used_at from enrolment_token e where e.token_hash = p_hash
$$;

-- A definer function runs as its owner, and the owner that migrates sees no rows without a tenant.
grant create on schema app to tierwatch_system;
alter function app.memberships_of(uuid) owner to tierwatch_system;
alter function app.organization_slug_taken(text) owner to tierwatch_system;
alter function app.find_api_token(text) owner to tierwatch_system;
alter function app.find_runner(text) owner to tierwatch_system;
alter function app.find_enrolment_token(text) owner to tierwatch_system;
revoke create on schema app from tierwatch_system;

-- Audit log --------------------------------------------------------------------------------------

create function app.audit_hash(prev bytea, org uuid, seq bigint, at timestamptz, actor text, action text, target text, detail jsonb)
returns bytea language sql immutable as $$
  -- The epoch, since the text of a timestamptz depends on the session's time zone.
  select sha256(prev || convert_to(
    jsonb_build_array(org, seq, (extract(epoch from at) * 1000000)::bigint, actor, action, target, detail)::text, 'UTF8'))
$$;

-- Appends [{actor, action, target, detail}, ...] and answers the last sequence number.
create function app.append_audit(p_entries jsonb) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  org uuid := app.organization_id();
  head audit_head;
  entry jsonb;
  stamp timestamptz;
  link bytea;
begin
  if org is null then raise exception 'no tenant is set'; end if;
  insert into audit_head (organization_id) values (org) on conflict do nothing;
  select * into head from audit_head where organization_id = org for update;
  for entry in select value from jsonb_array_elements(p_entries) loop
    stamp := clock_timestamp();
    link := app.audit_hash(head.hash, org, head.seq + 1, stamp, entry->>'actor', entry->>'action', entry->>'target', entry->'detail');
    insert into audit_log (organization_id, seq, at, actor, action, target, detail, prev_hash, hash)
    values (org, head.seq + 1, stamp, entry->>'actor', entry->>'action', entry->>'target', entry->'detail', head.hash, link);
    head.seq := head.seq + 1;
    head.hash := link;
  end loop;
  update audit_head set seq = head.seq, hash = head.hash where organization_id = org;
  return head.seq;
end $$;

create function app.verify_audit() returns table (checked bigint, first_bad bigint, head_matches boolean)
language sql stable as $$
  select count(*), min(seq) filter (where not ok),
    coalesce((select (h.seq, h.hash) = (max(s.seq), (array_agg(s.hash order by s.seq desc))[1]) from audit_head h), count(*) = 0)
  from (
    select seq, hash, coalesce(
      seq = lag(seq, 1, 0::bigint) over w + 1
      and prev_hash = lag(hash, 1, '\x'::bytea) over w
      and hash = app.audit_hash(prev_hash, organization_id, seq, at, actor, action, target, detail), false) as ok
    from audit_log where organization_id = app.organization_id() window w as (order by seq)
  ) s
$$;

-- Live updates -------------------------------------------------------------------------------------
-- Hints with ids alone: whoever hears one reads the rows again under its own tenant.

create function app.notify_session_events() returns trigger language plpgsql as $$
begin
  perform pg_notify('tierwatch', json_build_object('t', 's', 'id', session_id, 'seq', max(seq))::text)
  from inserted group by session_id;
  return null;
end $$;
create trigger session_event_inserted after insert on session_event
  referencing new table as inserted for each statement execute function app.notify_session_events();

create function app.notify_project() returns trigger language plpgsql as $$
begin
  perform pg_notify('tierwatch', json_build_object('t', 'p', 'id', new.project_id, 'o', new.organization_id)::text);
  return null;
end $$;
create trigger chain_changed after insert or update of status, status_text, outcome, acknowledged_at on chain
  for each row execute function app.notify_project();
create trigger session_changed after insert or update of status, status_text, report on session
  for each row execute function app.notify_project();
create trigger service_changed after update of status, snoozed_until on service
  for each row execute function app.notify_project();
create trigger project_event_inserted after insert on project_event
  for each row execute function app.notify_project();

create function app.notify_organization() returns trigger language plpgsql as $$
begin
  perform pg_notify('tierwatch', json_build_object('t', 'o', 'id', new.organization_id)::text);
  return null;
end $$;
create trigger runner_changed after insert or update of pool_id, draining_at, paused_at, revoked_at, slots on runner
  for each row execute function app.notify_organization();

-- Rights -------------------------------------------------------------------------------------------

do $$
declare r text;
begin
  foreach r in array array['tierwatch_app', 'tierwatch_system'] loop
    execute format('grant usage on schema public, app to %I', r);
    execute format('grant execute on all functions in schema app to %I', r);
    execute format('grant select, insert, update, delete on all tables in schema public to %I', r);
    execute format('grant usage on all sequences in schema public to %I', r);
    execute format('alter default privileges in schema public grant select, insert, update, delete on tables to %I', r);
    execute format('alter default privileges in schema public grant usage on sequences to %I', r);
    execute format('revoke insert, update, delete, truncate on audit_log, audit_head from %I', r);
    execute format('revoke update, delete on project_version from %I', r);
    execute format('revoke all on table _prisma_migrations from %I', r);
  end loop;
end $$;
revoke execute on all functions in schema app from public;
