-- What an agent has written of the message that it is writing. It lives here and not in the stream of
-- the session, which would hold every answer twice for ever.
ALTER TABLE "attempt" ADD COLUMN "unfinished_answer" JSONB;
