-- What a conversation's file was when its process ended, so that a changed one is never resumed.
alter table "pointer"
  add column "transcript_bytes" integer check ("transcript_bytes" >= 0),
  add column "transcript_sha256" text check ("transcript_sha256" ~ '^[0-9a-f]{64}$');
