/** The facts about a runner that matter to waiting work. */
export interface WaitingRunner {
  pool: string;
  status: string;
  allowedTiers: readonly number[];
  slots: number;
  slotsInUse: number;
  name?: string;
  /** ISO 8601 */
  lastSeenAt?: string | null;
}

/** Statuses of online runners that a person keeps from claiming, as words. */
const HELD: Record<string, string> = { draining: 'drained', paused: 'paused' };

/** Removes the stored wait for a runner from a status, since `waitSentence` recomputes it. */
export function withoutWait({
  statusText,
  waitReason,
}: {
  statusText: string;
  waitReason: string | null;
}): string {
  return waitReason === 'runner' ? '' : statusText;
}

/**
 * Returns why a queued session doesn't run yet, and what would change that.
 *
 * @param now for "12 min ago"; null in a text that is stored, which then contains the absolute time
 */
export function waitSentence(
  pool: string,
  tier: number,
  runners: readonly WaitingRunner[],
  now: Date | null = new Date(),
): string {
  const own = runners.filter((runner) => runner.pool === pool && runner.status !== 'revoked');
  if (own.length === 0) {
    return `Waiting for a runner: pool ${pool} has none. Connect a runner to it.`;
  }
  const present = own.filter(({ status }) => status === 'online' || status in HELD);
  if (present.length === 0) {
    return `Waiting for a runner: no runner in pool ${pool} is online. ${lastContact(own, now)}`;
  }
  const allowed = present.filter((runner) => runner.allowedTiers.includes(tier));
  const [held] = allowed;
  if (!held) {
    return `Waiting for a runner: no online runner in pool ${pool} allows tier ${tier}. Allow it on one, or connect another.`;
  }
  const able = allowed.filter(({ status }) => status === 'online');
  if (able.length === 0) {
    return `Waiting for a runner: ${held.name ?? 'the one'} in pool ${pool} is ${HELD[held.status]} and claims no new work. Resume it, or connect another.`;
  }
  const slots = able.reduce((sum, runner) => sum + runner.slots, 0);
  const used = able.reduce((sum, runner) => sum + runner.slotsInUse, 0);
  if (used >= slots) {
    return `Waiting for a runner: ${used} of ${slots} slots of pool ${pool} are busy. Add a runner or raise the slots.`;
  }
  return `Waiting for a runner in pool ${pool} to claim it; ${slots - used} of ${slots} slots are free.`;
}

/**
 * Returns why work waits that only a runner which can confine agents may start.
 *
 * @param runners those of the pool that are online and may start it
 */
export function isolationSentence(
  { pool, dueAt }: { pool: string; dueAt: Date | null },
  runners: readonly Pick<WaitingRunner, 'name' | 'slots' | 'slotsInUse'>[],
): string {
  const why = `Waiting for a runner that can confine agents, because this project is confined`;
  const due =
    dueAt === null ? '' : ` The chain needs a human if it hasn’t started by ${clock(dueAt)}.`;
  if (runners.length === 0) return `${why}: no such runner in pool ${pool} is online.${due}`;
  const slots = runners.map(
    ({ name, slots, slotsInUse }) => `${slotsInUse} of ${slots} slots of ${name} are busy`,
  );
  return `${why}: ${slots.join(', ')}.${due}`;
}

function clock(at: Date): string {
  const iso = at.toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

function lastContact(runners: readonly WaitingRunner[], now: Date | null): string {
  const seen = runners.flatMap(({ name, lastSeenAt }) =>
    name && lastSeenAt ? [{ name, at: lastSeenAt }] : [],
  );
  const [last] = seen.sort((a, b) => b.at.localeCompare(a.at));
  if (!last) return 'Start one, or connect another.';
  return `${last.name} was last seen ${timeOf(last.at, now)}. Start it, or connect another.`;
}

function timeOf(at: string, now: Date | null): string {
  if (!now) return clock(new Date(at));
  const minutes = Math.max(1, Math.round((now.getTime() - Date.parse(at)) / 60_000));
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}

/** A host without contact for this long isn't waited for, in seconds. */
export const HOST_SILENT_SECONDS = 60;
