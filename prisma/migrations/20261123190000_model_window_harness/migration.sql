-- Two CLIs can have the same version and name a model alike, so a window is known by its agent too.
alter table model_window add column harness text not null default 'claude';
-- Without a tenant, row-level security would show the owner no row to fill in.
alter table model_window no force row level security;
update model_window set harness = 'demo' where cli_version like 'demo-%';
alter table model_window force row level security;
alter table model_window alter column harness drop default;
alter table model_window add constraint model_window_harness check (harness in ('claude', 'demo'));
alter table model_window drop constraint model_window_pkey;
alter table model_window add constraint model_window_pkey
  primary key (organization_id, harness, cli_version, model);
