-- Times of a runner's clock outside of the attempt are moved into it; this is by how much, in seconds.
alter table session_event add column clock_off_seconds integer;
alter table attempt
  -- The largest of its events.
  add column clock_off_seconds integer,
  -- What arrived after the end, which is bounded, and when more than that was first refused.
  add column late_events integer not null default 0,
  add column late_bytes integer not null default 0,
  add column late_refused_at timestamptz(3);
