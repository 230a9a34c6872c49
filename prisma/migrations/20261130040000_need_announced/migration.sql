-- People are notified once that an incident needs a human, until it is reopened.
alter table incident add column need_announced_at timestamptz(3);

-- The owner itself sees no tenant's rows.
set local role tierwatch_system;
update incident set need_announced_at = needs_human_since
where needs_human_since is not null and announced_at is not null and not 'needs_human' = any (held_notices);
reset role;
