-- After a flood, PostgreSQL's statistics may know nothing of an organization's alerts for a minute, until
-- autovacuum looks at the table. Meanwhile it expects one row and compares each alert with each.
create function app.analyze_signals() returns void language plpgsql security definer set search_path = public as $$
begin
  analyze signal;
  analyze incident_signal;
end $$;

revoke execute on function app.analyze_signals() from public;
grant execute on function app.analyze_signals() to tierwatch_app, tierwatch_system;
