-- A conversation that was deleted keeps its row: what its turns cost stays, and late results find them.
alter table conversation add column deleted_at timestamptz(3);
alter table conversation add column deleted_by text;
alter table conversation add constraint conversation_deleted check ((deleted_at is null) = (deleted_by is null));
