-- "Escalation" is the next tier only; notifying people until someone acknowledges is paging. Policies of row-level
-- security move with their tables.
alter table escalation_policy rename to paging_policy;
alter table project_escalation rename to project_paging_policy;
alter table incident_escalation rename to paging_run;
alter table escalation_step rename to paging_step;

do $$
declare each record;
begin
  for each in
    select conrelid::regclass as of_table, conname as old_name from pg_constraint
    where conrelid in ('paging_policy'::regclass, 'project_paging_policy'::regclass, 'paging_run'::regclass, 'paging_step'::regclass)
      and conname ~ '^(escalation_policy|project_escalation|incident_escalation|escalation_step)_'
  loop
    execute format('alter table %s rename constraint %I to %I', each.of_table, each.old_name,
      replace(replace(replace(replace(each.old_name, 'escalation_policy_', 'paging_policy_'),
        'project_escalation_', 'project_paging_policy_'), 'incident_escalation_', 'paging_run_'), 'escalation_step_', 'paging_step_'));
  end loop;
end $$;
alter index escalation_policy_organization_id_id_key rename to paging_policy_organization_id_id_key;
alter index escalation_policy_organization_id_name_key rename to paging_policy_organization_id_name_key;
alter index project_escalation_organization_id_policy_id_idx rename to project_paging_policy_organization_id_policy_id_idx;
alter index incident_escalation_open rename to paging_run_open;

-- Schedules of weekly shifts are replaced by calendars. Steps keep their channels, and the id of the schedule that they
-- named, which is ignored and pointed out. What the shifts were stays in the audit log.
drop table oncall_schedule;
create table oncall_calendar (
  id uuid not null,
  organization_id uuid not null,
  host text not null,
  name text,
  url_sealed text not null,
  created_at timestamptz(3) not null default current_timestamp,
  read_due_at timestamptz(3) not null,
  read_at timestamptz(3),
  events jsonb not null default '[]',
  failing_since timestamptz(3),
  failure jsonb,
  constraint oncall_calendar_pkey primary key (id),
  constraint oncall_calendar_failure check ((failing_since is null) = (failure is null)),
  constraint oncall_calendar_organization_id_fkey foreign key (organization_id)
    references organization (id) on delete cascade on update cascade
);
create unique index oncall_calendar_organization_id_id_key on oncall_calendar (organization_id, id);
create index oncall_calendar_read_due_at_idx on oncall_calendar (read_due_at);
alter table oncall_calendar enable row level security;
alter table oncall_calendar force row level security;
create policy tenant on oncall_calendar using (organization_id = app.organization_id()) with check (organization_id = app.organization_id());
create policy system on oncall_calendar to tierwatch_system using (true) with check (true);

-- What is stored under the old name: messages of steps, and reports that nobody was reached. The owner itself sees no tenant's rows.
set local role tierwatch_system;
update paging_step set recipients = (recipients - 'schedule') || jsonb_build_object('calendar', recipients->'schedule')
  where recipients ? 'schedule';
update webhook_delivery set event_type = 'incident.paged', occasion = replace(occasion, 'incident.escalated:', 'incident.paged:')
  where event_type = 'incident.escalated';
update webhook_delivery set event_type = 'paging_unreached', occasion = replace(occasion, 'escalation.unreached:', 'paging.unreached:')
  where event_type = 'escalation_unreached';
reset role;
