-- Which process holds a runner's key. A second host with the same key is refused while it does.
alter table runner
  -- Drawn by each runner process at its start.
  add column key_process uuid,
  -- From a file in the runner's folder: a restart of the same host takes over at once.
  add column key_instance uuid,
  add column key_held_until timestamptz(3),
  -- The process that a restart replaced. A request of it shows that both live: the folder was copied.
  add column key_replaced_process uuid,
  -- The process that came second, while both lived in copies of one folder.
  add column key_refused_process uuid,
  add column second_host_at timestamptz(3);
