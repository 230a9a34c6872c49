/** Runs once in every web process, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { exitWithoutTenantWalls } = await import('@/lib/platform/db/startup-check');
  await exitWithoutTenantWalls();
  const { noteClientAddresses } = await import('@/lib/platform/http/client-address');
  noteClientAddresses();
  const { closeOnSignals } = await import('@/lib/platform/closing');
  closeOnSignals();
  const { subscribeDeliveries } = await import('@/lib/deliveries/subscriptions');
  subscribeDeliveries();
  const { subscribeEngine } = await import('@/lib/engine/subscriptions');
  subscribeEngine();
  const { startPresence } = await import('@/lib/fleet/offline');
  startPresence();
}
