-- A refusal holds for the incident until a person allows the same thing again.
alter table approval
  add column allowed_again_at timestamptz(3),
  add column allowed_again_by text,
  add constraint approval_allowed_again_check
    check ((allowed_again_at is null) = (allowed_again_by is null)
      and (allowed_again_at is null or status = 'refused'));

drop trigger approval_changed on approval;
create trigger approval_changed after insert or update of status, used_at, allowed_again_at on approval
  for each row execute function app.notify_project();

