-- Cooldowns count what was run. Actions that an agent only reported don't count.
-- The owner itself sees no tenant's rows.
set local role tierwatch_system;
delete from cooldown_action where source = 'report';
reset role;
-- Drops the CHECK that names it, too.
alter table cooldown_action drop column source;
alter table cooldown_action add check (action in ('restart', 'redeploy'));
