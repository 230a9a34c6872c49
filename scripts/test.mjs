/**
 * `npm test`: sets up what is missing and runs everything. `npm test -- --quick` runs what needs no build:
 * checks, units, and the integration tests of changed modules. The last line is the sum.
 */
import { ensureInstalled } from './bootstrap/install.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { hasOption, runMain } from './bootstrap/problem.mjs';
import { stopOnSignals } from './test/run-command.mjs';
import { Stages } from './test/stages.mjs';

const NOTHING_TESTED = { passed: 0, failed: 0, skipped: 0 };

/** @returns {boolean} whether the quick run is asked for */
async function setUp(isQuick) {
  await ensureInstalled();
  // Loaded now, because these need the packages.
  const { ensureClient } = await import('./bootstrap/prisma.mjs');
  const { ensureBuilt } = await import('./bootstrap/build.mjs');
  const { ensurePrograms } = await import('./bootstrap/programs.mjs');
  await ensureClient();
  await ensurePrograms();
  if (!isQuick) await ensureBuilt();
  return NOTHING_TESTED;
}

async function runChanged(runVitest, output) {
  const { listChanges, listTests, testsOfChanges } = await import('./test/changed-tests.mjs');
  const changed = await listChanges();
  const files = testsOfChanges(changed ?? [], listTests());
  if (files.length > 0) return await runVitest('integration-*', { files, output });
  const why = changed === null ? 'there is no history to compare with' : 'no module has changed';
  process.stdout.write(`The integration tests are left out: ${why}.\n`);
  return NOTHING_TESTED;
}

async function runOnRedis(runVitest, output) {
  const { findProgram, startRedis } = await import('./test/redis.mjs');
  const { ON_REDIS } = await import('../tests/support/on-redis.mjs');
  const program = findProgram('redis-server');
  if (!program) process.stdout.write('No redis-server on the PATH: the Redis tests are skipped.\n');
  if (!program) return NOTHING_TESTED;
  const redis = await startRedis(program);
  try {
    const env = { TIERWATCH_TEST_REDIS_URL: redis.url };
    return await runVitest('integration-*', { files: ON_REDIS, env, output });
  } finally {
    await redis.stop();
  }
}

async function runInBrowser({ runPlaywright, countBrowserTests }, output) {
  const { findChromium } = await import('./test/browser.mjs');
  const chromium = findChromium();
  if (chromium) return await runPlaywright({ CHROMIUM_PATH: chromium }, output);
  const skipped = await countBrowserTests();
  process.stdout.write(
    'The browser tests are skipped: no Chromium at /usr/bin/chromium. Install it, or set CHROMIUM_PATH.\n',
  );
  return { passed: 0, failed: 0, skipped };
}

/** @param {Stages} stages */
async function runQuickly(stages) {
  const { runVitest } = await import('./test/runners.mjs');
  await stages.together([
    ['Integration of changed modules', (output) => runChanged(runVitest, output)],
    ['Units', (output) => runVitest('units', { output })],
  ]);
}

/** @param {Stages} stages */
async function runEverything(stages) {
  const { runPageWeight } = await import('./test/page-weight.mjs');
  const runners = await import('./test/runners.mjs');
  const { runVitest } = runners;
  await stages.run('Page weight', runPageWeight);
  const vitest = (project) => (output) => runVitest(project, { output });
  // The two longest first. While one waits for what it has started, the other works; the last ones never wait.
  await stages.together([
    ['Integration', vitest('integration-*')],
    ['Browser', (output) => runInBrowser(runners, output)],
    ['Product', vitest('product')],
    ['Processes', vitest('processes')],
    ['Containers', vitest('containers')],
    ['Claude Code', vitest('cli')],
    ['Units', vitest('units')],
    ['Queues on Redis', (output) => runOnRedis(runVitest, output)],
  ]);
}

await runMain(async () => {
  // Until the sum says otherwise: a run that breaks off is no success.
  process.exitCode = 1;
  requireNode();
  const isQuick = hasOption(
    process.argv.slice(2),
    '--quick',
    'npm test runs everything; npm test -- --quick runs the tests of changed modules.',
  );
  stopOnSignals();
  const stages = new Stages();
  await stages.run('Install and build', () => setUp(isQuick));
  const { runChecks } = await import('./test/checks.mjs');
  await runChecks(stages);
  await (isQuick ? runQuickly(stages) : runEverything(stages));
  process.exitCode = stages.report() ? 0 : 1;
});
