-- The frame of every page reads every project of an organization. What it needs of a configuration
-- stands beside the document, kept by the database itself: unpacking a document for each project
-- was the dearest part of that read. A version never changes, so these are written once.
alter table "project_version"
  add column "harness" text generated always as ("config"->>'harness') stored,
  add column "is_dry_run" boolean generated always as (("config"->>'dryRun')::boolean) stored,
  add column "runner_pool" text generated always as ("config"->>'runnerPool') stored,
  add column "day_usd" double precision generated always as (("config"->'budgets'->>'dayUsd')::double precision) stored,
  add column "month_usd" double precision generated always as (("config"->'budgets'->>'monthUsd')::double precision) stored,
  add column "maintenance" jsonb generated always as (coalesce("config"->'maintenance', '[]'::jsonb)) stored;

-- One span of days of all projects of an organization. The sums are not in it: a settlement then
-- rewrites no index.
create index "daily_usage_organization_id_day_idx" on "daily_usage"("organization_id", "day");
