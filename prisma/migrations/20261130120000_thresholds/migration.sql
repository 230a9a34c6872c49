-- The limits of a version are rows of their own, and no longer in its configuration.
create table threshold (
  organization_id uuid not null,
  project_id uuid not null,
  version integer not null,
  scope text not null,
  name text not null,
  value double precision not null,
  constraint threshold_pkey primary key (organization_id, project_id, version, scope, name),
  constraint threshold_organization_id_project_id_version_fkey foreign key (organization_id, project_id, version)
    references project_version (organization_id, project_id, version) on update cascade on delete cascade,
  constraint threshold_name_check check (
    (scope = 'project' and name in ('contextThreshold', 'maxRereadTokens', 'chainUsd', 'dayUsd', 'monthUsd'))
    or (scope in ('tier1', 'tier2', 'tier3')
      and name in ('timeoutSeconds', 'stallSeconds', 'maxTurns', 'maxBudgetUsd', 'contextWindow')))
);
alter table threshold enable row level security;
alter table threshold force row level security;
create policy tenant on threshold using (organization_id = app.organization_id()) with check (organization_id = app.organization_id());
create policy system on threshold to tierwatch_system using (true) with check (true);

-- A version never changes. It is deleted with its project.
revoke update, delete, truncate on threshold from tierwatch_app, tierwatch_system;

-- Without a tenant, row-level security would show the owner no row to fill in.
alter table threshold no force row level security;
alter table project_version no force row level security;

insert into threshold (organization_id, project_id, version, scope, name, value)
select v.organization_id, v.project_id, v.version, 'project', l.name, l.value
from project_version v
cross join lateral (values
  ('contextThreshold', (v.config->>'contextThreshold')::double precision),
  ('maxRereadTokens', (v.config->>'maxRereadTokens')::double precision),
  ('chainUsd', (v.config#>>'{budgets,chainUsd}')::double precision),
  ('dayUsd', (v.config#>>'{budgets,dayUsd}')::double precision),
  ('monthUsd', (v.config#>>'{budgets,monthUsd}')::double precision)) as l (name, value)
where l.value is not null;

-- A tier that was stored before there was a stall timeout has its default.
insert into threshold (organization_id, project_id, version, scope, name, value)
select v.organization_id, v.project_id, v.version, 'tier' || t.tier, l.name, l.value
from project_version v
cross join lateral jsonb_array_elements(v.config->'tiers') with ordinality as t (policy, tier)
cross join lateral (values
  ('timeoutSeconds', (t.policy->>'timeoutSeconds')::double precision),
  ('stallSeconds', coalesce((t.policy->>'stallSeconds')::double precision, 180)),
  ('maxTurns', (t.policy->>'maxTurns')::double precision),
  ('maxBudgetUsd', (t.policy->>'maxBudgetUsd')::double precision),
  ('contextWindow', (t.policy->>'contextWindow')::double precision)) as l (name, value)
where l.value is not null;

alter table project_version drop column day_usd, drop column month_usd;
update project_version set config = jsonb_set(
  config - 'contextThreshold' - 'maxRereadTokens' - 'budgets', '{tiers}',
  (select jsonb_agg(t.policy - 'timeoutSeconds' - 'stallSeconds' - 'maxTurns' - 'maxBudgetUsd' - 'contextWindow' order by t.tier)
    from jsonb_array_elements(config->'tiers') with ordinality as t (policy, tier)));

alter table project_version force row level security;
alter table threshold force row level security;
