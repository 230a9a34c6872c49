-- The first failed check of the current outage. A service that was unhealthy before has its last
-- change of state instead, so nothing is rewritten.
alter table service add column failing_since timestamptz(3);

-- The worst result of a chain. Rows of earlier chains have none: the worse of their first and last
-- result is the most that is known of them.
alter table service_health add column status_worst text check (status_worst in ('healthy', 'degraded', 'down'));
