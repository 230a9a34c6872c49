-- Until when a tier waits for a runner whose agent has proven that it refuses forbidden commands.
alter table attempt add column proof_due_at timestamptz(3);
