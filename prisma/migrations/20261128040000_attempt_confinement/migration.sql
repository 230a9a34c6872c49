-- Whether the agent runs in a sandbox, as its runner reports at the start. Null before that, and from
-- runners that have no sandbox.
alter table attempt add column confinement text;
alter table attempt add constraint attempt_confinement
  check (confinement in ('confined', 'process_list_visible', 'none')) not valid;
