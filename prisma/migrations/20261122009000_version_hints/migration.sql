-- Who edits a project sees at once that somebody else has saved it.
create trigger project_version_inserted after insert on project_version
  for each row execute function app.notify_project();
