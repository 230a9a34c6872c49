-- What the audit log is searched by. The project is part of the detail that the hash covers; a
-- column of its own, since row-level security lets no expression over JSON reach an index.
alter table audit_log add column project text
  generated always as (coalesce(detail ->> 'project', case when left(target, 4) = 'prj_' then target end)) stored;

create index audit_log_actor on audit_log (organization_id, actor, seq);
create index audit_log_action on audit_log (organization_id, action, seq);
create index audit_log_project on audit_log (organization_id, project, seq) where project is not null;
create index audit_log_at on audit_log (organization_id, at);
