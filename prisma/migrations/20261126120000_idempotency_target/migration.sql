-- Written in the transaction of the change, so that a repeat finds what a request whose answer was lost had created.
alter table idempotency_key add column target text;
