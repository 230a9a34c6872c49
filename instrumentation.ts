/** Runs once in every web process: the runner API says that it is there, and ends what it holds. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { exitWithoutTenantWalls } = await import('@/lib/platform/db/startup-check/service');
  await exitWithoutTenantWalls();
  const { closeOnSignals } = await import('@/lib/platform/closing');
  closeOnSignals();
  const { startPresence } = await import('@/lib/fleet/presence/service');
  startPresence();
}
