-- Versions of the agent's CLI that an organization doesn't let start: `2.1.197`, or `<2.1.330`.
-- The row-level security of `organization` covers the column. The same limits are in
-- lib/platform/version-list.ts.
alter table organization
  add column denied_cli_versions text[] not null default '{}',
  add constraint organization_denied_cli_versions check (
    cardinality(denied_cli_versions) <= 50
    and array_position(denied_cli_versions, null) is null
    and array_to_string(denied_cli_versions, '|') ~ '^(<?\d{1,6}\.\d{1,6}\.\d{1,6}(\||$))*$');

-- The limit for what resuming may read again, as a row beside the other limits of a project.
alter table threshold drop constraint threshold_check;
alter table threshold add constraint threshold_check check (
  kind in ('context_share', 'reread_tokens', 'attempt_usd', 'chain_usd', 'day_usd', 'month_usd', 'turns', 'wall_seconds', 'stall_seconds')
  and tier between 0 and 3);
