-- The runner's gateway counts the requests of confined agents. What the CLI itself says is kept beside it.
alter table ledger_entry add column claimed jsonb;
alter table ledger_entry drop constraint ledger_source;
alter table ledger_entry drop constraint ledger_estimate;
-- Checked in the next migration, which lets others read and write meanwhile.
alter table ledger_entry add constraint ledger_source
  check (source in ('metered', 'reported', 'partly_estimated', 'estimated')) not valid;
alter table ledger_entry add constraint ledger_estimate
  check (is_estimate = (source not in ('metered', 'reported'))) not valid;
