-- The newest of an organization, whatever the project.
create index session_checkpoints_organization_id_seq_idx on session_checkpoints (organization_id, seq desc);
