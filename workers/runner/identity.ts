import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** What tells this process from others that use the same key. */
export interface RunnerIdentity {
  /** Drawn for each process. */
  processId: string;
  /** Of the folder: a restart after a kill is known by it, and takes over at once. */
  instanceId: string;
}

export function runnerIdentity(dir: string): RunnerIdentity {
  return { processId: randomUUID(), instanceId: readInstance(dir) ?? makeInstance(dir) };
}

function instanceFile(dir: string): string {
  return path.join(dir, 'instance');
}

function readInstance(dir: string): string | null {
  try {
    return z.uuid().safeParse(readFileSync(instanceFile(dir), 'utf8').trim()).data ?? null;
  } catch {
    return null;
  }
}

function makeInstance(dir: string): string {
  const made = randomUUID();
  const whole = `${instanceFile(dir)}.${made}`;
  writeFileSync(whole, `${made}\n`, { mode: 0o600 });
  try {
    rmSync(instanceFile(dir), { force: true });
    linkSync(whole, instanceFile(dir));
  } finally {
    rmSync(whole, { force: true });
  }
  return made;
}
