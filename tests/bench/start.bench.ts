/**
 * How long `npm start` takes on a fresh checkout whose packages are installed, on a fresh data folder,
 * and again on the same one.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { inSeconds, printResult } from './support/figures';
import { withScratchFolder } from './support/scratch-folder';

async function measureStart(folder: string, dataDir: string): Promise<number> {
  const port = String(await findFreePort());
  const beganAt = performance.now();
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: folder,
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

/** The files of the checkout, and its packages as hard links: nothing is built. */
function makeFreshCheckout(folder: string): void {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: checkout, encoding: 'utf8' });
  for (const file of files.split('\0').filter(Boolean)) {
    cpSync(path.join(checkout, file), path.join(folder, file));
  }
  execFileSync('cp', ['-al', path.join(checkout, 'node_modules'), folder]);
}

await withScratchFolder(async (scratch) => {
  const folder = path.join(scratch, 'checkout');
  makeFreshCheckout(folder);
  const first = await measureStart(folder, path.join(scratch, 'first'));
  const fresh = await measureStart(folder, path.join(scratch, 'second'));
  const again = await measureStart(folder, path.join(scratch, 'second'));
  printResult({
    title: 'npm start',
    target: 'fresh checkout under 45 s without the packages, again under 3 s',
    figures: {
      'fresh checkout': inSeconds(first),
      'fresh data folder, built': inSeconds(fresh),
      again: inSeconds(again),
    },
  });
});
