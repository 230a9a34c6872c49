-- A runner asks which of the conversations that it keeps are of no use any more, by their ids.
create index attempt_cli_session on attempt (organization_id, (start ->> 'cliSessionId'))
  where start is not null;
