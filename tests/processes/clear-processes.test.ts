import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { MARKER_VARIABLE } from '@/lib/protocol/project-folder';
import { attemptProcesses, newMarker } from '@/workers/runner/process/attempt-processes';

it('[FLT-3.1] kills what an attempt left behind, also if the runner was frozen for longer than it may take', async () => {
  const marker = newMarker('attempt');
  const left = spawn('sleep', ['600'], { env: { ...process.env, [MARKER_VARIABLE]: marker } });
  onTestFinished(() => void left.kill('SIGKILL'));
  const exited = once(left, 'exit');
  await once(left, 'spawn');
  const processes = attemptProcesses({ marker, mainPid: null, cgroup: null });
  // Stopped between the first look and the next one, as by SIGSTOP.
  const now = Date.now();
  vi.spyOn(Date, 'now')
    .mockReturnValueOnce(now)
    .mockReturnValue(now + 60_000);
  const cleared = await processes.clear({ graceMs: 150, withinMs: 4_000 });
  vi.restoreAllMocks();
  expect(cleared).toMatchObject({ killed: 1, survivors: [] });
  expect(await exited).toEqual([null, 'SIGKILL']);
});
