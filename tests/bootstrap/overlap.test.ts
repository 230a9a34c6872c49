import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { makeLightCheckout } from './light-checkout';
import { makeDataDir, type StartedSystem, spawnStart, untilStarted } from './started-system';

/**
 * A build that ends once the demo is seeded. What the build is told beside it is little, so the folder
 * is written into it.
 */
const waitForDemo = (dataDir: string) => `
  const deadline = Date.now() + 120_000;
  while (!existsSync('${dataDir}/demo-account.json')) {
    if (Date.now() > deadline) throw new Error('The demo was not made meanwhile.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }`;

const FAILING = `throw new Error('A page does not compile.');`;

describe('[FLT-6.5] the first start of a checkout', () => {
  const dataDir = makeDataDir();
  let folder = '';
  let started: StartedSystem | undefined;
  afterEach(async () => {
    started?.child.kill('SIGTERM');
    await started?.ended;
    for (const each of [folder, dataDir]) rmSync(each, { recursive: true, force: true });
  });

  async function start(build: string): Promise<StartedSystem> {
    folder = makeLightCheckout(build);
    started = spawnStart(dataDir, await findFreePort(), folder);
    return started;
  }

  it('makes the database and the demo while the pages are built', async () => {
    const system = await untilStarted(await start(waitForDemo(dataDir)));
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
    const system = await start(FAILING);
    expect(await system.ended).toBe(1);
    expect(system.output()).toContain('Building the pages… failed');
    expect(system.output()).toContain('A page does not compile.');
    expect(existsSync(path.join(dataDir, 'logs', 'web.log'))).toBe(false);
  });
});
