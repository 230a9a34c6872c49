import type { StateOf } from '@/app/_components/status/states';
import type { RunnerDto } from '@/lib/fleet/schema';

const STALE_MS = 7 * 86_400_000;

interface RunnerLook {
  state: StateOf<'runner'>;
  /** Completes the word: "2 of 4". */
  detail: string | null;
}

/** How a runner's status is shown: busy is being online with work, stale is being away for a week. */
export function runnerLook(runner: RunnerDto, now: Date): RunnerLook {
  switch (runner.status) {
    case 'revoked':
      return { state: 'revoked', detail: null };
    case 'never':
      return { state: 'never_connected', detail: null };
    case 'paused':
      return { state: 'draining', detail: '(paused)' };
    case 'draining':
      return {
        state: 'draining',
        detail: runner.slotsInUse > 0 ? `${runner.slotsInUse} left` : null,
      };
    case 'offline': {
      const silentMs = now.getTime() - Date.parse(runner.lastSeenAt ?? runner.createdAt);
      return { state: silentMs > STALE_MS ? 'stale' : 'offline', detail: null };
    }
    case 'online':
      return runner.slotsInUse > 0
        ? { state: 'busy', detail: `${runner.slotsInUse} of ${runner.slots}` }
        : { state: 'online', detail: null };
  }
}

/** `1 busy, 1 offline. 2 sessions wait for pool eu.` */
export function fleetSentence(
  runners: readonly RunnerDto[],
  waiting: ReadonlyMap<string, number>,
  now: Date,
): string {
  if (runners.length === 0) return 'No runner is connected, so no chain can run.';
  const counts = new Map<string, number>();
  for (const runner of runners) {
    const { state } = runnerLook(runner, now);
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const parts = [...counts].map(
    ([state, count]) => `${count} ${WORDS[state as StateOf<'runner'>]}`,
  );
  const waits = [...waiting].map(
    ([pool, count]) =>
      `${count} ${count === 1 ? 'session waits' : 'sessions wait'} for pool ${pool}.`,
  );
  return [`${parts.join(', ')}.`, ...waits].join(' ');
}

const WORDS: Record<StateOf<'runner'>, string> = {
  never_connected: 'never connected',
  online: 'online',
  busy: 'busy',
  draining: 'draining',
  offline: 'offline',
  stale: 'stale',
  revoked: 'revoked',
};
