/** What a process check counts, with real processes. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runCheck } from '@/lib/protocol/checks/run-check';
import { MARKER_VARIABLE } from '@/lib/protocol/project-folder';
import { checkSchema } from '@/lib/protocol/spec';

const NAME = `/opt/job-${process.pid}/worker.mjs`;
const started: ChildProcess[] = [];

afterEach(() => {
  for (const { pid } of started.splice(0)) {
    // Each leads a group, with what it has started.
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  }
});

function run(file: string, args: string[], env: Record<string, string> = {}, argv0?: string) {
  const child = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: 'ignore',
    detached: true,
    ...(argv0 ? { argv0 } : {}),
  });
  started.push(child);
  return child;
}

const found = (target = NAME) => runCheck(checkSchema.parse({ type: 'process', target }), 'job');
const isFound = (status: string) =>
  vi.waitFor(async () => expect((await found()).status).toBe(status), 5_000);

const canUnshare = spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0;

describe('[HLD-3.4] a process check', () => {
  it('counts a process of the host', async () => {
    expect(await found()).toMatchObject({
      status: 'down',
      error: `No process "${NAME}" is running.`,
    });
    run('sleep', ['60'], {}, NAME);
    await isFound('healthy');
  });

  it('counts none that an agent has started, also without its environment', async () => {
    const marked = { [MARKER_VARIABLE]: 'att-1.x' };
    run('sleep', ['60'], marked, NAME);
    run('bash', ['-c', `env -i bash -c 'exec -a ${NAME} sleep 60'; true`], marked);
    await vi.waitFor(async () =>
      expect(await found()).toMatchObject({
        status: 'down',
        error: `No process "${NAME}" is running, except in containers or started by an agent.`,
      }),
    );
    run('sleep', ['60'], {}, NAME);
    await isFound('healthy');
  });

  it('counts none by its pid file either', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'pid-')), 'job.pid');
    const agent = run('sleep', ['60'], { [MARKER_VARIABLE]: 'att-1.x' });
    await writeFile(file, String(agent.pid));
    expect((await found(file)).status).toBe('down');
    await writeFile(file, String(run('sleep', ['60']).pid));
    expect((await found(file)).status).toBe('healthy');
  });

  it.skipIf(!canUnshare)('counts none of another PID namespace', async () => {
    // In a file, since the words of the command line are those of a host's process.
    const script = path.join(mkdtempSync(path.join(tmpdir(), 'job-')), 'run.sh');
    await writeFile(script, `exec -a ${NAME} sleep 60`);
    run('unshare', ['--pid', '--fork', '--kill-child', 'bash', script]);
    await vi.waitFor(async () =>
      expect((await found()).error).toContain('except in containers or started by an agent'),
    );
    expect((await found()).status).toBe('down');
  });
});
