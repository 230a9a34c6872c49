-- An end that can't be written is tried a few times, at growing intervals, and then given up: it must
-- not keep its project waiting. Both columns count for the result that the attempt has now.
alter table attempt add column settle_failures integer not null default 0 check (settle_failures >= 0);
alter table attempt add column settle_retry_at timestamptz(3);
