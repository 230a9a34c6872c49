-- Isolation belongs to the project now. Older configurations are read as confined if one of their tiers
-- required or preferred it. A tier that preferred it ran unconfined on hosts that can't confine, so a
-- project stays open if none required it and every runner of its pool has reported that it can't.
alter table project_version no force row level security;
alter table runner no force row level security;
alter table runner_pool no force row level security;
update project_version v set config = v.config || '{"isolation": "open"}'
  where not v.config ? 'isolation'
    and jsonb_path_exists(v.config, '$.tiers[*] ? (@.isolation == "preferred")')
    and not jsonb_path_exists(v.config, '$.tiers[*] ? (@.isolation == "required")')
    and exists (select from runner r join runner_pool p on p.organization_id = r.organization_id and p.id = r.pool_id
      where r.organization_id = v.organization_id and p.name = v.runner_pool and r.revoked_at is null)
    and not exists (select from runner r join runner_pool p on p.organization_id = r.organization_id and p.id = r.pool_id
      where r.organization_id = v.organization_id and p.name = v.runner_pool and r.revoked_at is null
        and coalesce(r.posture->'confinement'->>'state', '') <> 'none');
alter table project_version force row level security;
alter table runner force row level security;
alter table runner_pool force row level security;
