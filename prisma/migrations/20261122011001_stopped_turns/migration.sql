alter table turn add column stopped_by text;
