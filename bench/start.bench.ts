/** How long `npm start` takes on a fresh data folder, and again on the same one. */
import { spawn } from 'node:child_process';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { inSeconds, printResult } from './support/figures';
import { withScratchFolder } from './support/scratch-folder';

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

await withScratchFolder(async (dataDir) => {
  const fresh = await measureStart(dataDir);
  const warm = await measureStart(dataDir);
  printResult({
    title: 'npm start',
    target: 'shown, no limit',
    figures: { 'fresh data folder, built': inSeconds(fresh), again: inSeconds(warm) },
  });
});
