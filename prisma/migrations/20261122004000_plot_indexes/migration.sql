-- For the plots and the spend pages: each reads one span of time of one organization.

create index "attempt_organization_id_started_at_idx" on "attempt"("organization_id", "started_at");
create index "ledger_entry_organization_id_booked_at_idx" on "ledger_entry"("organization_id", "booked_at");

-- Few rows of large tables. Prisma does not see these.
create index session_hop on session (organization_id, id) where parent_session_id is not null;
create index chain_fixed on chain (organization_id, id) where outcome = 'fixed';
create index service_health_trouble on service_health (organization_id, service_id, chain_id)
  where status <> 'healthy' or status_before <> 'healthy';
