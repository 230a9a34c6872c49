alter table attempt rename column rung_at to enqueued_at;
alter table webhook_delivery rename column rung_at to enqueued_at;
alter table runner rename column offline_told_at to offline_notified_at;
