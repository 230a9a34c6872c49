-- Set when somebody dismisses the checklist "Get started"; null: it is shown until it is done.
alter table organization add column checklist_dismissed_at timestamptz(3);
