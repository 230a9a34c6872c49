-- The path and query of a webhook URL often hold the receiver's secret. Workers encrypt the stored
-- ones when they start, since only they have the key; until then "url" is the whole URL.
alter table webhook_endpoint add column url_sealed text;

-- A process of the version before knows only "url": what it saves is encrypted by the next sweep.
create function app.forget_sealed_webhook_url() returns trigger language plpgsql as $$
begin
  new.url_sealed := null;
  return new;
end $$;
create trigger webhook_url_replaced before update of url on webhook_endpoint for each row
  when (new.url is distinct from old.url and new.url_sealed is not distinct from old.url_sealed)
  execute function app.forget_sealed_webhook_url();

revoke execute on function app.forget_sealed_webhook_url() from public;
grant execute on function app.forget_sealed_webhook_url() to tierwatch_app, tierwatch_system;
