/** Runs once in every web process, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { exitWithoutTenantWalls } = await import('@/lib/platform/db/startup-check');
  await exitWithoutTenantWalls();
  const { noteClientAddresses } = await import('@/lib/platform/http/client-address');
  noteClientAddresses();
  const { env } = await import('@/lib/platform/env');
  const { flushTelemetry } = await import('@/lib/telemetry/open-telemetry');
  const { startTelemetry } = await import('@/lib/telemetry/start');
  startTelemetry('web');
  const { measureRequests } = await import('@/lib/platform/http/request-metrics');
  measureRequests();
  const { closeOnSignals, exitOnSignals } = await import('@/lib/platform/closing');
  closeOnSignals();
  if (env().handlesSignals) exitOnSignals(flushTelemetry);
  const { subscribeDeliveries } = await import('@/lib/deliveries/subscriptions');
  const { subscribeIncidents } = await import('@/lib/incidents/subscriptions');
  // Before deliveries, which asks whether a chain is about an incident.
  subscribeIncidents();
  subscribeDeliveries();
  const { subscribePaging } = await import('@/lib/paging/advance-paging');
  subscribePaging();
  const { subscribeEngine } = await import('@/lib/engine/subscriptions');
  subscribeEngine();
  const { startPresence } = await import('@/lib/fleet/offline');
  startPresence();
  const { startWatch } = await import('@/lib/watchdog/watch');
  startWatch('web');
}
