/** The swap of the runner's file, killed at any moment. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { bundleProgram } from '@/scripts/bootstrap/programs.mjs';
import { programFileAt } from '@/workers/runner/standalone/program-file';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tw-swap-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KILLS = 40;
/** Big enough for a kill to fall into its writing. */
const content = (fill: string) => fill.repeat(2_000_000);
const WHOLE = new Set(['a', 'b'].map(content));

it('[FLT-5.2] leaves a whole program in place wherever it is killed', async () => {
  const swapping = path.join(folder, 'swapping.mjs');
  await bundleProgram('tests/processes/runner-file/swapping.ts', swapping);
  const file = path.join(folder, 'runner.mjs');
  const program = programFileAt(file);
  writeFileSync(file, content('a'));
  const seen = { next: 0, previous: 0 };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = spawn(process.execPath, [swapping, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await sleep(Math.random() * 30);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(WHOLE.has(readFileSync(file, 'utf8'))).toBe(true);
    // What is left behind is whole too: its name is given last.
    for (const name of ['next', 'previous'] as const) {
      const left = readIfThere(program[name]);
      if (left === null) continue;
      seen[name] += 1;
      expect(WHOLE.has(left)).toBe(true);
    }
  }
  // Kills fell before and after the last step.
  expect(seen.next).toBeGreaterThan(0);
  expect(seen.previous).toBeGreaterThan(0);
});

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
