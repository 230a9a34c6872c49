alter table attempt validate constraint attempt_seal_refusal_check;
