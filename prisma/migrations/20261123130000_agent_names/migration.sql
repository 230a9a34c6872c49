-- The names of lib/protocol/agent-names.ts; a test compares them.
alter table project_version add constraint project_version_harness check (harness in ('claude', 'demo'));
alter table pointer add constraint pointer_harness check (harness in ('claude', 'demo'));
alter table session_checkpoints add constraint session_checkpoints_harness check (harness in ('claude', 'demo'));
