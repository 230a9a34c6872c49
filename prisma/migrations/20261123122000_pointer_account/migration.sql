-- Which account of the model provider held a conversation, as a hash of key and address.
alter table "pointer" add column "account" text;
