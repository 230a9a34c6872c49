-- The key that partitions of session_event can keep. Built without blocking writes, which works only while this is
-- the one statement of its migration. If it is cut off, the next migration builds the index again.
create unique index concurrently if not exists session_event_attempt_key on session_event (organization_id, session_id, attempt_id, attempt_seq);
