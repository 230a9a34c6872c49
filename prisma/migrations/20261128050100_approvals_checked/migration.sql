-- In a migration of its own, since a validation reads whole tables while others write.
alter table attempt validate constraint attempt_purpose;
alter table chain validate constraint chain_wait_reason;
alter table session validate constraint session_wait_reason;
