import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { makeDataDir, spawnOn, untilStarted } from './started-system';

/**
 * In place of Next.js: a build that ends once the demo is seeded, and a web server that is alive.
 * What the build is told beside it is little, so the folder is written into it.
 */
const makeNext = (dataDir: string, isBroken: boolean) => `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const [command] = process.argv.slice(2);
if (command === 'build') {
  const deadline = Date.now() + 120_000;
  while (!existsSync('${dataDir}/demo-account.json')) {
    if (Date.now() > deadline) throw new Error('The demo was not made meanwhile.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  if (${isBroken}) throw new Error('A page does not compile.');
  mkdirSync('.next', { recursive: true });
  writeFileSync('.next/BUILD_ID', 'built');
} else {
  const port = process.argv[process.argv.indexOf('-p') + 1];
  createServer((_request, response) => response.end('ok')).listen(Number(port), '127.0.0.1');
}
`;

/** A checkout with its packages and programs, and without pages. */
function makeCheckout(folder: string, next: string): void {
  const left = ['.git', '.next', '.data', 'node_modules', 'tests'];
  for (const entry of readdirSync(checkout)) {
    if (!left.includes(entry)) {
      cpSync(path.join(checkout, entry), path.join(folder, entry), {
        recursive: true,
        preserveTimestamps: true,
      });
    }
  }
  const packages = path.join(folder, 'node_modules');
  mkdirSync(packages);
  for (const entry of readdirSync(path.join(checkout, 'node_modules'))) {
    if (entry !== 'next') {
      symlinkSync(path.join(checkout, 'node_modules', entry), path.join(packages, entry));
    }
  }
  const bin = path.join(packages, 'next', 'dist', 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(packages, 'next', 'package.json'), '{"type": "module"}');
  writeFileSync(path.join(bin, 'next'), next);
}

describe('[FLT-6.5] the first start of a checkout', () => {
  let folder = '';
  let dataDir = '';
  let started: ChildProcess | undefined;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-checkout-'));
    // PostgreSQL's own account reads its programs there.
    chmodSync(folder, 0o755);
    dataDir = makeDataDir();
  });
  afterEach(async () => {
    if (started?.exitCode === null) {
      started.kill('SIGTERM');
      await once(started, 'close');
    }
    rmSync(folder, { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function start({ isBroken }: { isBroken: boolean }) {
    makeCheckout(folder, makeNext(dataDir, isBroken));
    const script = path.join(folder, 'scripts', 'start.mjs');
    const system = spawnOn(dataDir, process.execPath, [script], await findFreePort());
    started = system.child;
    return system;
  }

  it('makes the database and the demo while the pages are built', async () => {
    const system = await untilStarted(await start({ isBroken: false }));
    const lines = system.output().split('\n');
    const at = (text: string) => lines.findIndex((line) => line.includes(text));
    expect(at('Preparing the demo')).toBeGreaterThan(at('Preparing the database'));
    expect(lines.filter((line) => line.includes('Building the pages'))).toEqual([
      expect.stringMatching(/^ {2}Building the pages… $/),
      expect.stringMatching(/^ {2}Building the pages… [\d.]+ s$/),
    ]);
    expect(at('Starting…')).toBeGreaterThan(lines.findLastIndex((line) => /Building/.test(line)));
    system.child.kill('SIGTERM');
    expect(await system.ended).toBe(0);
  });

  it('ends with the reason when the pages can’t be built', async () => {
    const system = await start({ isBroken: true });
    expect(await system.ended).toBe(1);
    expect(system.output()).toContain('Building the pages… failed');
    expect(system.output()).toContain('A page does not compile.');
    expect(existsSync(path.join(dataDir, 'logs', 'web.log'))).toBe(false);
  });
});
