-- Deleting an organization or a project deletes its rows through foreign keys alone. A runner or a
-- pool that still has attempts can't be deleted by itself, but goes with its organization, whose
-- deletion defers these checks to its commit. Validated by the next migration, which lets writers go on.
-- Without a tenant, row-level security would show the owner no row, neither to delete nor to keep.
alter table organization no force row level security;
alter table project no force row level security;
alter table idempotency_key no force row level security;
alter table model_window no force row level security;
alter table daily_usage no force row level security;
alter table webhook_endpoint no force row level security;
delete from idempotency_key k where not exists (select from organization o where o.id = k.organization_id);
delete from model_window w where not exists (select from organization o where o.id = w.organization_id);
delete from daily_usage u where not exists (select from organization o where o.id = u.organization_id);
delete from webhook_endpoint e where not exists (select from organization o where o.id = e.organization_id)
  or (e.project_id is not null and not exists (select from project p where p.organization_id = e.organization_id and p.id = e.project_id));
alter table organization force row level security;
alter table project force row level security;
alter table idempotency_key force row level security;
alter table model_window force row level security;
alter table daily_usage force row level security;
alter table webhook_endpoint force row level security;

alter table idempotency_key add constraint idempotency_key_organization_id_fkey
  foreign key (organization_id) references organization (id) on delete cascade on update cascade not valid;
alter table model_window add constraint model_window_organization_id_fkey
  foreign key (organization_id) references organization (id) on delete cascade on update cascade not valid;
alter table daily_usage add constraint daily_usage_organization_id_fkey
  foreign key (organization_id) references organization (id) on delete cascade on update cascade not valid;
alter table webhook_endpoint add constraint webhook_endpoint_organization_id_fkey
  foreign key (organization_id) references organization (id) on delete cascade on update cascade not valid;
alter table webhook_endpoint add constraint webhook_endpoint_organization_id_project_id_fkey
  foreign key (organization_id, project_id) references project (organization_id, id) on delete cascade on update cascade not valid;
alter table runner add constraint runner_organization_id_fkey
  foreign key (organization_id) references organization (id) on delete cascade on update cascade not valid;

alter table runner drop constraint runner_organization_id_pool_id_fkey;
alter table runner add constraint runner_organization_id_pool_id_fkey
  foreign key (organization_id, pool_id) references runner_pool (organization_id, id) on delete no action on update cascade deferrable not valid;
alter table attempt drop constraint attempt_organization_id_runner_id_fkey;
alter table attempt add constraint attempt_organization_id_runner_id_fkey
  foreign key (organization_id, runner_id) references runner (organization_id, id) on delete no action on update cascade deferrable not valid;
alter table attempt drop constraint attempt_organization_id_pool_id_fkey;
alter table attempt add constraint attempt_organization_id_pool_id_fkey
  foreign key (organization_id, pool_id) references runner_pool (organization_id, id) on delete no action on update cascade deferrable not valid;
