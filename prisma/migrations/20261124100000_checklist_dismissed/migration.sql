-- Set when somebody dismisses the checklist "Get started"; null: it is shown until it is done.
alter table organization add column checklist_dismissed_at timestamptz(3);

-- Its tick "Notify someone" changes on open pages, as those for members do.
create trigger channel_changed after insert or delete or update of disabled_at on notification_channel
  for each row execute function app.notify_of_member();
create trigger endpoint_changed after insert or delete or update of disabled_at on webhook_endpoint
  for each row execute function app.notify_of_member();
