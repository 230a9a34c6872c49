-- Session events in partitions of a week each (docs/decisions/0012-events-in-weekly-partitions.md). The table of before
-- becomes the first partition as it is: no row is copied, and all of this is one transaction.

alter table organization add column log_retention_days integer not null default 30
  check (log_retention_days between 1 and 365);

-- No role but the owner can use this schema, so a partition can be reached through session_event only, whose policies
-- then apply.
create schema partitions;

drop trigger session_event_inserted on session_event;
drop policy tenant on session_event;
drop policy system on session_event;
alter table session_event no force row level security;
alter table session_event rename to session_event_earlier;
alter table session_event_earlier set schema partitions;
revoke all on partitions.session_event_earlier from tierwatch_app, tierwatch_system;

-- A cut-off build leaves an index that is never used.
do $$ begin
  if not coalesce((select i.indisvalid from pg_index i where i.indexrelid = to_regclass('partitions.session_event_attempt_key')), false) then
    drop index if exists partitions.session_event_attempt_key;
    create unique index session_event_attempt_key on partitions.session_event_earlier (organization_id, session_id, attempt_id, attempt_seq);
  end if;
  if not coalesce((select i.indisvalid from pg_index i where i.indexrelid = to_regclass('partitions.session_event_tool_call')), false) then
    drop index if exists partitions.session_event_tool_call;
    create index session_event_tool_call on partitions.session_event_earlier (organization_id, session_id desc, seq desc) where kind = 'tool_call';
  end if;
end $$;
-- Replaced by session_event_attempt_key: unique keys of a partitioned table contain the column it is partitioned by.
drop index partitions.session_event_organization_id_attempt_id_attempt_seq_key;

create table session_event (like partitions.session_event_earlier including defaults) partition by range (session_id);
alter table session_event add constraint session_event_pkey primary key (organization_id, session_id, seq);
create unique index session_event_attempt_key on session_event (organization_id, session_id, attempt_id, attempt_seq);
create index session_event_tool_call on session_event (organization_id, session_id desc, seq desc) where kind = 'tool_call';
alter table session_event add constraint session_event_organization_id_session_id_fkey
  foreign key (organization_id, session_id) references session (organization_id, id) on update cascade on delete cascade;
create trigger session_event_inserted after insert on session_event
  referencing new table as inserted for each statement execute function app.notify_session_events();
alter table session_event enable row level security;
alter table session_event force row level security;
create policy tenant on session_event using (organization_id = app.organization_id()) with check (organization_id = app.organization_id());
create policy system on session_event to tierwatch_system using (true) with check (true);
revoke all on session_event from tierwatch_app, tierwatch_system;
grant select, insert, update, delete on session_event to tierwatch_app, tierwatch_system;

-- For ids whose week has no partition. The hourly sweep moves its rows to the partition of their week and reports others.
create table partitions.session_event_default partition of session_event default;
alter table partitions.session_event_default enable row level security;

-- Ids of sessions are UUIDs of version 7, which begin with the time in milliseconds.
create function app.first_id_of(p_at timestamptz) returns uuid language sql stable strict parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

create function app.first_of_week(p_at timestamptz) returns timestamptz language sql stable strict parallel safe as $$
  select date_trunc('week', p_at, 'UTC')
$$;

-- The partitions with the ids they hold: from the first up to below the second. The default one has neither.
create function app.event_partitions() returns table (name text, from_id uuid, below_id uuid, is_default boolean)
language sql stable as $$
  select c.relname::text,
    coalesce((regexp_match(b.bound, 'FROM \(''([0-9a-f-]{36})''\)'))[1],
      case when b.bound like '%FROM (MINVALUE)%' then '00000000-0000-0000-0000-000000000000' end)::uuid,
    (regexp_match(b.bound, 'TO \(''([0-9a-f-]{36})''\)'))[1]::uuid,
    b.bound = 'DEFAULT'
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as bound) b
  where i.inhparent = 'public.session_event'::regclass
$$;

-- Makes the partitions that are missing for the weeks from one time to another, with the rows of theirs that had to go to
-- the default one, and answers how many. It waits briefly for its locks: behind a long transaction it fails with 55P03
-- instead of letting writers queue.
create function app.make_event_partitions(p_from timestamptz, p_to timestamptz) returns integer
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '200ms' set datestyle = 'ISO' as $$
declare
  week timestamptz := app.first_of_week(p_from);
  lo uuid;
  hi uuid;
  made integer := 0;
  name text;
begin
  if p_to > p_from + interval '420 days' then raise exception 'at most 60 weeks at once'; end if;
  while week < p_to loop
    lo := app.first_id_of(week);
    hi := app.first_id_of(week + interval '7 days');
    if not exists (select from app.event_partitions() p where p.from_id < hi and p.below_id > lo) then
      name := 'session_event_' || to_char(week at time zone 'UTC', 'YYYYMMDD');
      create temp table moved (like session_event) on commit drop;
      with gone as (delete from partitions.session_event_default where session_id >= lo and session_id < hi returning *)
      insert into moved select * from gone;
      execute format('create table partitions.%I (like session_event including defaults including indexes)', name);
      execute format('alter table partitions.%I enable row level security', name);
      execute format('alter table session_event attach partition partitions.%I for values from (%L) to (%L)', name, lo, hi);
      -- Afterwards: the foreign key of a table with rows would be checked with the policies of the owner, who sees none.
      execute format('insert into partitions.%I select * from moved', name);
      drop table moved;
      made := made + 1;
    end if;
    week := week + interval '7 days';
  end loop;
  -- Autovacuum looks at partitions, and never at the whole.
  if made > 0 then analyze session_event; end if;
  return made;
end $$;

-- The longest time that an organization keeps its logs for, in days. Asked as tierwatch_system, since the owner sees no rows.
create function app.longest_log_retention() returns integer
language sql stable security definer set search_path = public, pg_temp as $$
  select max(log_retention_days) from organization
$$;

-- Drops a partition whose sessions began before every organization's retention; false if some may have begun later.
-- Whoever calls it has made sure that all its sessions ended before. It waits briefly for its locks, as above.
create function app.drop_event_partition(p_name text, p_now timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '200ms' as $$
declare below uuid;
begin
  select p.below_id into below from app.event_partitions() p where p.name = p_name and not p.is_default;
  if below is null then return false; end if;
  lock table session_event in access exclusive mode;
  if below > app.first_id_of(p_now - make_interval(hours => 24 * coalesce(app.longest_log_retention(), 30))) then return false; end if;
  execute format('drop table partitions.%I', p_name);
  return true;
end $$;

-- How many events are in the default partition, by the week that their sessions' ids name.
create function app.unplaced_events() returns table (week timestamptz, events bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select app.first_of_week(to_timestamp(('x' || left(replace(session_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)), count(*)
  from partitions.session_event_default group by 1 order by 1
$$;

revoke execute on function app.first_id_of(timestamptz), app.first_of_week(timestamptz), app.event_partitions(),
  app.make_event_partitions(timestamptz, timestamptz), app.longest_log_retention(), app.drop_event_partition(text, timestamptz),
  app.unplaced_events() from public;
grant execute on function app.first_id_of(timestamptz), app.first_of_week(timestamptz), app.event_partitions(),
  app.make_event_partitions(timestamptz, timestamptz), app.drop_event_partition(text, timestamptz), app.unplaced_events() to tierwatch_system;
grant create on schema app to tierwatch_system;
alter function app.longest_log_retention() owner to tierwatch_system;
revoke create on schema app from tierwatch_system;
-- app.drop_event_partition asks it as the owner. Only the role that owns a function now can give rights on it.
do $$
declare migrator text := current_user;
begin
  set local role tierwatch_system;
  execute format('grant execute on function app.longest_log_retention() to %I', migrator);
  reset role;
end $$;

-- The rows of before, as the partition of everything up to the end of this week; without rows, none is needed.
do $$
declare
  next_week timestamptz := app.first_of_week(now()) + interval '7 days';
  below uuid := app.first_id_of(next_week);
begin
  if exists (select from partitions.session_event_earlier) then
    with ahead as (delete from partitions.session_event_earlier where session_id >= below returning *)
    insert into partitions.session_event_default select * from ahead;
    execute format('alter table session_event attach partition partitions.session_event_earlier for values from (minvalue) to (%L)', below);
  else
    drop table partitions.session_event_earlier;
  end if;
  perform app.make_event_partitions(now(), now() + interval '28 days');
end $$;
