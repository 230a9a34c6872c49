import { setTimeout as wait } from 'node:timers/promises';
import type { AttemptProcesses } from './attempt-processes';
import type { RunningProcess } from './start';

/** At SIGINT the CLI ends its tool calls and still says what the turn has cost. */
export const INTERRUPT_MS = 5_000;

/**
 * Asks a process to end, and kills it after five seconds. Resolves when it has ended; what it
 * started is cleared after every end, by the one who waits for the exit.
 */
export async function stopProcess(
  running: RunningProcess,
  processes: AttemptProcesses,
): Promise<void> {
  // Looked at while parents still tell what belongs to them.
  processes.alive();
  running.signal('SIGINT');
  const ended = new AbortController();
  await Promise.race([
    running.exited.then(() => ended.abort()),
    wait(INTERRUPT_MS, undefined, { signal: ended.signal }).catch(() => {}),
  ]);
  if (ended.signal.aborted) return;
  processes.alive();
  running.signal('SIGKILL');
  await running.exited;
}
