/** Runs once in every web process: the runner API says that it is there. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { exitWithoutTenantWalls } = await import('@/lib/db/startup-check/service');
  await exitWithoutTenantWalls();
  const { startPresence } = await import('@/lib/runners/presence/service');
  startPresence();
}
