-- What a project has spent in a month. Every page shows it for all projects, and daily_usage has some 90 rows for each.
create table monthly_usage (
  organization_id uuid not null,
  project_id uuid not null,
  month date not null,
  cost_micros bigint not null,
  constraint monthly_usage_pkey primary key (organization_id, month, project_id),
  constraint monthly_usage_organization_id_fkey foreign key (organization_id) references organization (id) on update cascade on delete cascade
);
grant select, insert, update, delete on monthly_usage to tierwatch_app, tierwatch_system;

alter table daily_usage no force row level security;
insert into monthly_usage (organization_id, project_id, month, cost_micros)
select organization_id, project_id, day - (extract(day from day)::int - 1), sum(cost_micros) from daily_usage group by 1, 2, 3;
alter table daily_usage force row level security;

alter table monthly_usage enable row level security;
alter table monthly_usage force row level security;
create policy tenant on monthly_usage using (organization_id = app.organization_id()) with check (organization_id = app.organization_id());
create policy system on monthly_usage to tierwatch_system using (true) with check (true);

-- Kept by triggers, so that a process of the version before keeps it too. The month is locked before the days: whoever
-- books twice in one transaction can't wait for someone who waits for them.
create function app.lock_monthly_usage() returns trigger language plpgsql as $$
declare first_day date := new.day - (extract(day from new.day)::int - 1);
begin
  insert into monthly_usage (organization_id, project_id, month, cost_micros)
  values (new.organization_id, new.project_id, first_day, 0) on conflict do nothing;
  perform from monthly_usage m
  where m.organization_id = new.organization_id and m.project_id = new.project_id and m.month = first_day for update;
  return new;
end $$;
create function app.add_monthly_usage() returns trigger language plpgsql as $$
declare r record;
begin
  r := coalesce(new, old);
  update monthly_usage m set cost_micros = m.cost_micros + coalesce(new.cost_micros, 0) - coalesce(old.cost_micros, 0)
  where m.organization_id = r.organization_id and m.project_id = r.project_id
    and m.month = r.day - (extract(day from r.day)::int - 1);
  return null;
end $$;
create trigger monthly_usage_locked before insert or update of cost_micros on daily_usage
  for each row execute function app.lock_monthly_usage();
create trigger monthly_usage_added after insert or delete or update of cost_micros on daily_usage
  for each row execute function app.add_monthly_usage();

revoke execute on function app.lock_monthly_usage(), app.add_monthly_usage() from public;
grant execute on function app.lock_monthly_usage(), app.add_monthly_usage() to tierwatch_app, tierwatch_system;
