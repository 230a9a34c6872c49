-- Whatever holds chains back says who did it, when, why, and when it ends by itself.
alter table organization add column pause_ends_at timestamptz(3);
alter table project add column pause_ends_at timestamptz(3);
alter table runner add column paused_by text, add column pause_reason text, add column pause_ends_at timestamptz(3);
alter table service add column snoozed_at timestamptz(3);
alter table chain add column acknowledgement_ends_at timestamptz(3);

-- A tier of a project that starts nothing for now; the switch in the configuration stays as it is.
create table tier_pause (
  organization_id uuid not null,
  project_id uuid not null,
  tier int not null check (tier between 1 and 3),
  paused_at timestamptz(3) not null,
  paused_by text not null,
  pause_reason text not null default '',
  pause_ends_at timestamptz(3),
  constraint tier_pause_pkey primary key (organization_id, project_id, tier),
  constraint tier_pause_organization_id_project_id_fkey foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade on update cascade
);
alter table tier_pause enable row level security;
alter table tier_pause force row level security;
create policy tenant on tier_pause using (organization_id = app.organization_id()) with check (organization_id = app.organization_id());
create policy system on tier_pause to tierwatch_system using (true) with check (true);

-- Few rows each: pauses that end by themselves, and chains that somebody has in hand.
create index organization_pause_ends on organization (pause_ends_at) where pause_ends_at is not null;
create index project_pause_ends on project (pause_ends_at) where pause_ends_at is not null;
create index runner_pause_ends on runner (pause_ends_at) where pause_ends_at is not null;
create index tier_pause_ends on tier_pause (pause_ends_at) where pause_ends_at is not null;
create index chain_acknowledged on chain (organization_id, project_id, acknowledged_at) where acknowledged_at is not null;

-- Open pages hear of a pause and of its end.
create function app.notify_of_pause() returns trigger language plpgsql as $$
declare r record;
begin
  r := coalesce(new, old);
  perform pg_notify('tierwatch', json_build_object('t', 'o', 'id', r.organization_id)::text);
  return null;
end $$;
revoke execute on function app.notify_of_pause() from public;
grant execute on function app.notify_of_pause() to tierwatch_app, tierwatch_system;
create trigger project_paused after update of paused_at on project
  for each row execute function app.notify_of_pause();
create trigger tier_paused after insert or delete on tier_pause
  for each row execute function app.notify_of_pause();
