alter table ledger_entry validate constraint ledger_source;
alter table ledger_entry validate constraint ledger_estimate;
