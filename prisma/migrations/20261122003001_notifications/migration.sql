-- Notification channels, and deliveries that go to a channel or straight to mailboxes.

CREATE TABLE "notification_channel" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "outcomes" TEXT[],
    "event_types" TEXT[],
    "target" TEXT NOT NULL,
    "settings_sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failing_since" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,

    CONSTRAINT "notification_channel_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "notification_channel_organization_id_id_key" ON "notification_channel"("organization_id", "id");
CREATE UNIQUE INDEX "notification_channel_organization_id_name_key" ON "notification_channel"("organization_id", "name");

ALTER TABLE "notification_channel" ADD CONSTRAINT "notification_channel_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "notification_channel" ADD CONSTRAINT "notification_channel_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "project"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

alter table notification_channel add check (kind in ('email', 'apprise'));
alter table notification_channel add check (disabled_reason in ('failing_five_days', 'muted'));
alter table notification_channel enable row level security;
alter table notification_channel force row level security;
create policy tenant on notification_channel using (organization_id = app.organization_id()) with check (organization_id = app.organization_id());
create policy system on notification_channel to tierwatch_system using (true) with check (true);

ALTER TABLE "webhook_endpoint" ADD COLUMN "secret_hint" TEXT NOT NULL DEFAULT '';

ALTER TABLE "webhook_delivery" ALTER COLUMN "endpoint_id" DROP NOT NULL;
ALTER TABLE "webhook_delivery" ADD COLUMN "channel_id" UUID, ADD COLUMN "mail_to" TEXT[];
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_organization_id_channel_id_fkey" FOREIGN KEY ("organization_id", "channel_id") REFERENCES "notification_channel"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
CREATE UNIQUE INDEX "webhook_delivery_organization_id_channel_id_occasion_key" ON "webhook_delivery"("organization_id", "channel_id", "occasion");
CREATE INDEX "webhook_delivery_organization_id_channel_id_id_idx" ON "webhook_delivery"("organization_id", "channel_id", "id" DESC);

alter table webhook_delivery alter column mail_to set default '{}';
update webhook_delivery set mail_to = '{}';
alter table webhook_delivery alter column mail_to set not null;
alter table webhook_delivery add constraint webhook_delivery_one_recipient
  check (num_nonnulls(endpoint_id, channel_id) + (cardinality(mail_to) > 0)::int = 1);
create unique index webhook_delivery_mail_occasion on webhook_delivery (organization_id, occasion) where cardinality(mail_to) > 0;

ALTER TABLE "webhook_attempt" ADD COLUMN "request_headers" JSONB, ADD COLUMN "response_headers" JSONB;

-- When people were last told that it is silent.
ALTER TABLE "runner" ADD COLUMN "offline_told_at" TIMESTAMPTZ(3);
