-- Claims in a row that failed with the same error, after which the work ends.
alter table attempt add column claim_failures integer not null default 0;
alter table attempt add column claim_error text;
