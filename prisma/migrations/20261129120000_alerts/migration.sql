-- Alerts of other systems: their sources, the requests as they arrived, and the alerts in them.
create table alert_source (
  id uuid not null,
  organization_id uuid not null,
  project_id uuid not null,
  kind text not null check (kind in ('alertmanager', 'grafana', 'pagerduty', 'generic')),
  name text not null,
  token_hash text not null,
  token_hint text not null,
  previous_token_hash text,
  previous_token_until timestamptz(3),
  signing_secrets_sealed text[] not null,
  signature_header text,
  timestamp_header text,
  mapping jsonb not null,
  stale_seconds integer not null check (stale_seconds > 0),
  created_at timestamptz(3) not null default current_timestamp,
  disabled_at timestamptz(3),
  constraint alert_source_pkey primary key (id),
  constraint alert_source_previous_token check ((previous_token_hash is null) = (previous_token_until is null)),
  constraint alert_source_organization_id_project_id_fkey foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade on update cascade
);
create unique index alert_source_organization_id_id_key on alert_source (organization_id, id);
create index alert_source_organization_id_project_id_id_idx on alert_source (organization_id, project_id, id desc);

create table alert_delivery (
  id uuid not null,
  organization_id uuid not null,
  source_id uuid not null,
  state text not null check (state in ('received', 'processed', 'unparsed', 'rejected')),
  reason text check (reason in ('too_large', 'wrong_token', 'bad_signature', 'stale_signature', 'disabled',
    'not_json', 'unknown_shape', 'no_status', 'no_title')),
  result text check (result in ('alerts', 'test_received', 'event_ignored', 'event_too_old', 'own_incident')),
  body bytea,
  body_bytes integer not null,
  headers jsonb not null,
  dedup_key text,
  repeats integer not null default 0,
  alert_count integer not null default 0,
  skipped_count integer not null default 0,
  truncated_count integer not null default 0,
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  received_at timestamptz(3) not null,
  processed_at timestamptz(3),
  constraint alert_delivery_pkey primary key (id),
  constraint alert_delivery_waiting check ((state = 'received') = (next_attempt_at is not null)),
  constraint alert_delivery_reason check ((state = 'rejected' or state = 'unparsed') = (reason is not null)),
  constraint alert_delivery_result check ((state = 'processed') = (result is not null)),
  constraint alert_delivery_organization_id_source_id_fkey foreign key (organization_id, source_id)
    references alert_source (organization_id, id) on delete cascade on update cascade
);
create unique index alert_delivery_organization_id_id_key on alert_delivery (organization_id, id);
create unique index alert_delivery_organization_id_source_id_dedup_key_key
  on alert_delivery (organization_id, source_id, dedup_key);
create index alert_delivery_organization_id_source_id_id_idx on alert_delivery (organization_id, source_id, id desc);
create index alert_delivery_old on alert_delivery (processed_at) where processed_at is not null;
create index alert_delivery_waits on alert_delivery (next_attempt_at) where state = 'received';

create table alert (
  id uuid not null,
  organization_id uuid not null,
  project_id uuid not null,
  source_id uuid not null,
  fingerprint text not null,
  starts_at text not null,
  started_at timestamptz(3) not null,
  status text not null check (status in ('firing', 'resolved', 'stale')),
  kind text not null check (kind in ('problem', 'signal_lost')),
  severity text not null check (severity in ('critical', 'error', 'warning', 'info')),
  title text not null,
  service_text text,
  service_id uuid,
  rule text,
  link text,
  labels jsonb not null,
  annotations jsonb not null,
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  repeats integer not null default 0,
  ended_at timestamptz(3),
  constraint alert_pkey primary key (id),
  constraint alert_ended check ((status = 'firing') = (ended_at is null)),
  constraint alert_organization_id_project_id_fkey foreign key (organization_id, project_id)
    references project (organization_id, id) on delete cascade on update cascade,
  constraint alert_organization_id_source_id_fkey foreign key (organization_id, source_id)
    references alert_source (organization_id, id) on delete cascade on update cascade,
  constraint alert_organization_id_service_id_fkey foreign key (organization_id, service_id)
    references service (organization_id, id) on delete cascade on update cascade
);
create unique index alert_organization_id_id_key on alert (organization_id, id);
create unique index alert_organization_id_source_id_fingerprint_starts_at_key
  on alert (organization_id, source_id, fingerprint, starts_at);
-- At most one occurrence of an alert fires.
create unique index alert_fires on alert (organization_id, source_id, fingerprint) where status = 'firing';
create index alert_organization_id_id_idx on alert (organization_id, id desc);
create index alert_organization_id_project_id_id_idx on alert (organization_id, project_id, id desc);
create index alert_organization_id_source_id_fingerprint_started_at_idx
  on alert (organization_id, source_id, fingerprint, started_at desc);
create index alert_open on alert (organization_id, id desc) where status = 'firing';
create index alert_old on alert (ended_at) where ended_at is not null;
create index alert_last_seen on alert (source_id, last_seen_at) where status = 'firing';

do $$
declare each text;
begin
  foreach each in array array['alert_source', 'alert_delivery', 'alert'] loop
    execute format('alter table %I enable row level security', each);
    execute format('alter table %I force row level security', each);
    execute format('create policy tenant on %I using (organization_id = app.organization_id()) with check (organization_id = app.organization_id())', each);
    execute format('create policy system on %I to tierwatch_system using (true) with check (true)', each);
  end loop;
end $$;

-- A request names its source before it is known whose source that is.
create function app.find_alert_source(p_id uuid)
returns table (
  organization_id uuid, id uuid, project_id uuid, kind text, token_hash text, previous_token_hash text,
  previous_token_until timestamptz, signing_secrets_sealed text[], signature_header text, timestamp_header text,
  disabled_at timestamptz
)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.organization_id, s.id, s.project_id, s.kind, s.token_hash, s.previous_token_hash,
    s.previous_token_until, s.signing_secrets_sealed, s.signature_header, s.timestamp_header, s.disabled_at
  from alert_source s where s.id = p_id
$$;
-- Before its owner changes: afterwards only that one could.
revoke execute on function app.find_alert_source(uuid) from public;
grant execute on function app.find_alert_source(uuid) to tierwatch_app, tierwatch_system;
grant create on schema app to tierwatch_system;
alter function app.find_alert_source(uuid) owner to tierwatch_system;
revoke create on schema app from tierwatch_system;
