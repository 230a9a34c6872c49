/**
 * [BND-1.5] What a sandbox adds to the start of an agent, and what a command through the broker
 * takes.
 */

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NO_TARGETS } from '@/lib/commands/service-values';
import { canConfine } from '@/tests/support/confinement';
import type { StoredAttempt } from '@/tests/support/fake-control-plane/attempt-store';
import { type RunnerHost, startRunnerHost } from '@/tests/support/fake-control-plane/runner-host';
import { isFull, printResult, spread } from './support/figures';
import { withScratchFolder } from './support/scratch-folder';

const RUNS = isFull ? 60 : 15;
const COMMANDS = isFull ? 60 : 20;

/** Runs a command many times, and says how many milliseconds each took. */
const AGENT = `
const { spawnSync } = require('node:child_process');
init();
const times = [];
for (let i = 0; i < (flag('--max-turns') === '2' ? ${COMMANDS} : 0); i += 1) {
  const from = performance.now();
  spawnSync('benchctl', ['restart', 'web']);
  times.push(performance.now() - from);
}
text(JSON.stringify(times));
result();
`;

const PROGRAM = '#!/bin/sh\necho answered\n';

function start(isolation: 'required' | 'off', turns: number) {
  return {
    start: {
      isolation,
      limits: { timeoutSeconds: 300, stallSeconds: 300, maxTurns: turns, maxBudgetUsd: null },
      commands: {
        allowed: ['Bash(benchctl restart web)'],
        denied: [],
        askFirst: [],
        secrets: [],
        values: { targets: NO_TARGETS, service: [], host: [], url: [] },
      },
    },
  };
}

/** From the claim to the first line that the agent printed. */
async function startMs(host: RunnerHost, isolation: 'required' | 'off'): Promise<number> {
  const from = performance.now();
  const attempt = await host.run(start(isolation, 1));
  if (attempt.results[0]?.exit?.code !== 0) throw new Error(JSON.stringify(attempt.results));
  return performance.now() - from;
}

function timesOf(attempt: StoredAttempt): number[] {
  const said = attempt.events().find((event) => event.kind === 'text');
  if (said?.kind !== 'text') throw new Error('The agent said nothing.');
  return JSON.parse(said.text);
}

async function measure(): Promise<Record<string, string>> {
  const bin = await mkdtemp(path.join(tmpdir(), 'tw-bench-bin-'));
  await writeFile(path.join(bin, 'benchctl'), PROGRAM);
  await chmod(path.join(bin, 'benchctl'), 0o755);
  const host = await startRunnerHost({ agent: AGENT, env: { PATH: `${bin}:${process.env.PATH}` } });
  try {
    const confined: number[] = [];
    const open: number[] = [];
    await startMs(host, 'required');
    await startMs(host, 'off');
    for (let run = 0; run < RUNS; run += 1) {
      confined.push(await startMs(host, 'required'));
      open.push(await startMs(host, 'off'));
    }
    const brokered = timesOf(await host.run(start('required', 2)));
    const direct = timesOf(await host.run(start('off', 2)));
    const added = confined.map((ms, at) => ms - (open[at] ?? 0));
    return {
      'a whole attempt, unconfined': spread(open),
      'what a sandbox adds to it': spread(added),
      'a command, run by the agent itself': spread(direct),
      'a command through the broker': spread(brokered),
    };
  } finally {
    await host.close();
    await rm(bin, { recursive: true });
  }
}

const figures: Record<string, string> = {};
if (canConfine) await withScratchFolder(async () => void Object.assign(figures, await measure()));
printResult({
  title: 'Confinement',
  target: 'start of a confined process under 150 ms, a brokered command under 60 ms (p50)',
  figures: canConfine ? figures : { 'this machine': 'can’t confine agents' },
});
