/** What keeping checkpoints adds to a run of the real CLI, and how many are stored in a second. */
import { fetchClis } from '@/scripts/fetch-cli.mjs';
import type { StoredAttempt } from '@/tests/support/fake-control-plane/attempt-store';
import { type RunnerHost, startRunnerHost } from '@/tests/support/fake-control-plane/runner-host';
import { startMessagesApi } from '@/tests/support/messages-api/messages-api';
import { callBash, reportBack } from '@/tests/support/messages-api/reply';
import { isFull, printResult, quantile, spread } from './support/figures';
import { withScratchDatabase } from './support/scratch-database';
import { withScratchFolder } from './support/scratch-folder';
import { storeMany } from './support/stored-checkpoints';

const RUNS = isFull ? 30 : 8;
const CALLS = 20;
const STORED = isFull ? 5_000 : 1_000;
const PLAN = {
  project: 'Bench',
  promptInterval: 10,
  timeIntervalMs: 900_000,
  recoveryBudgetChars: 2_000,
};

interface Run {
  ms: number;
  requests: number;
}

async function runOnce(host: RunnerHost, isKept: boolean): Promise<Run> {
  const before = host.plane.bodies.length;
  const attempt = await host.run({
    start: {
      reportSchema: { type: 'object', properties: { summary: { type: 'string' } } },
      allowedRules: ['Bash(true:*)'],
      checkpoints: isKept ? PLAN : null,
      limits: { timeoutSeconds: 300, stallSeconds: 300, maxTurns: 100, maxBudgetUsd: 10 },
    },
  });
  return { ms: wallOf(attempt), requests: host.plane.bodies.length - before };
}

function wallOf({ results }: StoredAttempt): number {
  const [result] = results;
  if (!result?.startedAt) throw new Error('The agent was not started.');
  return Date.parse(result.endedAt) - Date.parse(result.startedAt);
}

/** In turns, so that what slows the machine down slows both. */
async function measureRuns(binary: string): Promise<Record<string, string>> {
  const api = await startMessagesApi({
    script: ({ body }) =>
      body.messages.length > 2 * CALLS ? reportBack({ summary: 'done' }) : callBash('true'),
  });
  const kept: Run[] = [];
  const bare: Run[] = [];
  await withScratchFolder(async () => {
    const host = await startRunnerHost({
      claudeBin: binary,
      env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'key-of-the-runner' },
    });
    try {
      for (const isKept of [true, false]) await runOnce(host, isKept);
      for (let run = 0; run < RUNS; run += 1) {
        kept.push(await runOnce(host, true));
        bare.push(await runOnce(host, false));
      }
    } finally {
      await host.close();
      await api.close();
    }
  });
  const median = (runs: Run[], of: (run: Run) => number) => quantile(runs.map(of), 0.5);
  return {
    [`a run of ${CALLS} calls without`]: spread(bare.map(({ ms }) => ms)),
    'the same with checkpoints': spread(kept.map(({ ms }) => ms)),
    'requests to the control plane, without and with': `${median(bare, ({ requests }) => requests)} and ${median(kept, ({ requests }) => requests)}`,
  };
}

async function measureWrites(): Promise<Record<string, string>> {
  let perSecond = 0;
  await withScratchDatabase({ isThrowaway: false }, async () => {
    const ms = await storeMany(STORED);
    perSecond = Math.round(STORED / (ms / 1_000));
  });
  return { [`checkpoints stored, ${STORED} one by one`]: `${perSecond} a second` };
}

const cli = (await fetchClis()).findLast(({ problem }) => problem === null);
printResult({
  title: 'Checkpoints',
  target: 'shown, no limit',
  figures: {
    ...(cli ? await measureRuns(cli.binary) : {}),
    ...(await measureWrites()),
  },
});
