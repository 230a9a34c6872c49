-- Slack, PagerDuty, Opsgenie and on-call webhooks as channels of their own, and messages about one outage in order.
alter table notification_channel drop constraint notification_channel_kind_check;
alter table notification_channel add constraint notification_channel_kind_check
  check (kind in ('email', 'slack', 'pagerduty', 'opsgenie', 'oncall_webhook', 'apprise'));
alter table notification_channel drop constraint notification_channel_disabled_reason_check;
alter table notification_channel add constraint notification_channel_disabled_reason_check
  check (disabled_reason in ('failing_five_days', 'muted', 'rejected'));
alter table notification_channel add column alerts_only boolean not null default false;

-- Constant defaults, so no row is rewritten. The rows that exist have neither, so there is nothing to validate.
alter table webhook_delivery add column subject text, add column sequence bigint,
  add column supersedes boolean not null default false;
alter table webhook_delivery add constraint webhook_delivery_subject_sequence
  check ((subject is null) = (sequence is null)) not valid;
