/** Starts the real demo service in a folder of its own, for tests. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { demoPaths } from '@/lib/projects/demo-service/schema';
import { programFile } from '@/scripts/bootstrap/programs.mjs';

export interface RunningDemo {
  dataDir: string;
  paths: ReturnType<typeof demoPaths>;
  pid: number;
  ctl(...args: string[]): Promise<{ code: number; output: string }>;
  /** Ends the supervisor; its folder stays for another start unless `remove` is set. */
  stop(options?: { signal?: NodeJS.Signals; remove?: boolean }): Promise<void>;
}

export async function startDemo(existing?: string): Promise<RunningDemo> {
  const dataDir = existing ?? (await mkdtemp(path.join(tmpdir(), 'demo-service-')));
  const child = spawn(process.execPath, [programFile('demo-service'), '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ready = once(child.stdout ?? process.stdin, 'data');
  const ended = once(child, 'exit');
  await Promise.race([
    ready,
    ended.then(([code]) => Promise.reject(new Error(`The demo service ended with ${code}.`))),
  ]);
  const paths = demoPaths(dataDir);
  return {
    dataDir,
    paths,
    pid: child.pid ?? 0,
    ctl: (...args) =>
      new Promise((resolve) => {
        execFile(path.join(paths.binDir, 'democtl'), args, (error, stdout, stderr) => {
          const code = typeof error?.code === 'number' ? error.code : 0;
          resolve({ code, output: stdout + stderr });
        });
      }),
    stop: async ({ signal = 'SIGTERM', remove = true } = {}) => {
      child.kill(signal);
      await ended;
      if (remove) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
