import { afterEach, expect, it, vi } from 'vitest';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { runCommand } from '@/workers/runner/broker/command-run';

afterEach(() => {
  vi.useRealTimers();
});

it('[BND-2.8] a command that has ended is not signalled again, and what it left in its cgroup stays', async () => {
  const killed = vi.fn();
  const cgroup = { dir: '/none', pids: () => [], kill: killed, remove: () => {} };
  const run = runCommand({
    file: '/bin/true',
    args: [],
    env: {},
    cwd: '/',
    redactor: createRedactor({ secrets: [] }),
    cgroup,
  });
  expect(await run.ended).toMatchObject({ exitCode: 0, isLeftRunning: false });
  const signals = vi.spyOn(process, 'kill');
  vi.useFakeTimers();
  // As when the agent's shell closes its end.
  run.kill();
  vi.advanceTimersByTime(60_000);
  expect(killed).not.toHaveBeenCalled();
  expect(signals).not.toHaveBeenCalled();
});
