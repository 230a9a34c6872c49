-- Every row names where its figures come from; an estimate is every source but the CLI's own report.
alter table ledger_entry add column source text not null default 'reported';
-- Without a tenant, row-level security would show the owner no row to fill in.
alter table ledger_entry no force row level security;
update ledger_entry set source = case when raw is null or raw = 'null'::jsonb then 'estimated' else 'partly_estimated' end
  where is_estimate;
alter table ledger_entry force row level security;
alter table ledger_entry alter column source drop default;
alter table ledger_entry add constraint ledger_source check (source in ('reported', 'partly_estimated', 'estimated'));
alter table ledger_entry add constraint ledger_estimate check (is_estimate = (source <> 'reported'));
