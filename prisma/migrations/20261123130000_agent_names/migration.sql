-- The names of lib/protocol/agent-names.ts; a test compares them. Validated apart, while other
-- writers go on: the last two tables may be large.
alter table project_version add constraint project_version_harness check (harness in ('claude', 'demo')) not valid;
alter table pointer add constraint pointer_harness check (harness in ('claude', 'demo')) not valid;
alter table session_checkpoints add constraint session_checkpoints_harness check (harness in ('claude', 'demo')) not valid;
alter table project_version validate constraint project_version_harness;
alter table pointer validate constraint pointer_harness;
alter table session_checkpoints validate constraint session_checkpoints_harness;
