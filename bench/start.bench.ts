/** How long `npm start` takes on a fresh data folder, and again on the same one. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';

const checkout = path.resolve(import.meta.dirname, '..');

async function measureStart(dataDir: string): Promise<number> {
  const port = String(await findFreePort());
  const beganAt = performance.now();
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: checkout,
    env: { ...process.env, TIERWATCH_DATA_DIR: dataDir, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      if (printed.includes('Press Ctrl-C')) resolve();
    });
    child.once('exit', () => reject(new Error(`npm start ended:\n${printed}`)));
  });
  const tookMs = performance.now() - beganAt;
  child.kill('SIGTERM');
  await ended;
  return tookMs;
}

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-bench-'));
chmodSync(dataDir, 0o755);
try {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const fresh = await measureStart(dataDir);
  const warm = await measureStart(dataDir);
  const figures = { 'fresh data folder, built': seconds(fresh), again: seconds(warm) };
  const result = { title: 'npm start', target: 'shown, no limit', figures };
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
