-- The line of an organization, and of each of its recipients: how many messages are still to be sent, and which is next.
-- Built without blocking writes, which works only while this is the one statement of its migration.
create index concurrently if not exists webhook_delivery_open
  on webhook_delivery (organization_id, (coalesce(endpoint_id, channel_id, id)), next_attempt_at)
  where status in ('scheduled', 'retrying', 'sending');
