/** A runner as far as it matters to what waits for one. */
export interface WaitingRunner {
  pool: string;
  status: string;
  allowedTiers: readonly number[];
  slots: number;
  slotsInUse: number;
}

/** Why a queued session does not run yet, and what would change that. */
export function waitSentence(
  pool: string,
  tier: number,
  runners: readonly WaitingRunner[],
): string {
  const own = runners.filter((runner) => runner.pool === pool && runner.status !== 'revoked');
  if (own.length === 0) {
    return `Waiting for a runner: pool ${pool} has none. Connect a runner to it.`;
  }
  const online = own.filter((runner) => runner.status === 'online');
  if (online.length === 0) {
    return `Waiting for a runner: none of pool ${pool} is online. Start one, or connect another.`;
  }
  const able = online.filter((runner) => runner.allowedTiers.includes(tier));
  if (able.length === 0) {
    return `Waiting for a runner: no online runner of pool ${pool} may take tier ${tier}. Allow it on one, or connect another.`;
  }
  const slots = able.reduce((sum, runner) => sum + runner.slots, 0);
  const used = able.reduce((sum, runner) => sum + runner.slotsInUse, 0);
  if (used >= slots) {
    return `Waiting for a runner: ${used} of ${slots} slots of pool ${pool} are busy. Add a runner or raise the slots.`;
  }
  return `Waiting for a runner of pool ${pool} to take it; ${slots - used} of ${slots} slots are free.`;
}
