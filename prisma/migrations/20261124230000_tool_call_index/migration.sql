-- For the search over commands: the newest tool calls of an organization in their order. Built without blocking writes,
-- which works only while this is the one statement of its migration.
create index concurrently if not exists session_event_tool_call on session_event (organization_id, session_id desc, seq desc) where kind = 'tool_call';
