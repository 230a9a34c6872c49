/** `npm test`: sets up what is missing and runs everything. The last line is the sum. */
import { ensureInstalled } from './bootstrap/install.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { runMain } from './bootstrap/problem.mjs';
import { stopOnSignals } from './test/run-command.mjs';
import { Stages } from './test/stages.mjs';

const NOTHING_TESTED = { passed: 0, failed: 0, skipped: 0 };

async function setUp() {
  await ensureInstalled();
  // Loaded now, because these need the packages.
  const { ensureClient } = await import('./bootstrap/prisma.mjs');
  const { ensureBuilt } = await import('./bootstrap/build.mjs');
  const { ensurePrograms } = await import('./bootstrap/programs.mjs');
  await ensureClient();
  await ensurePrograms();
  await ensureBuilt();
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
    return await runVitest('vitest.integration.config.mts', { files: ON_REDIS, env, output });
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

await runMain(async () => {
  // Until the sum says otherwise: a run that breaks off is no success.
  process.exitCode = 1;
  requireNode();
  stopOnSignals();
  const stages = new Stages();
  await stages.run('Install and build', setUp);
  const { runChecks } = await import('./test/checks.mjs');
  const { runPageWeight } = await import('./test/page-weight.mjs');
  const runners = await import('./test/runners.mjs');
  const { runVitest } = runners;

  await runChecks(stages);
  await stages.run('Page weight', runPageWeight);
  const vitest = (config) => (output) => runVitest(config, { output });
  // While one waits for what it has started, the other works. Short ones last, so that both end together.
  await stages.together([
    ['Units', vitest('vitest.config.mts')],
    ['Product', vitest('vitest.product.config.mts')],
    ['Integration', vitest('vitest.integration.config.mts')],
    ['Browser', (output) => runInBrowser(runners, output)],
    ['Claude Code', vitest('vitest.cli.config.mts')],
    ['Containers', vitest('vitest.containers.config.mts')],
    ['Queues on Redis', (output) => runOnRedis(runVitest, output)],
    ['Processes', vitest('vitest.processes.config.mts')],
  ]);
  process.exitCode = stages.report() ? 0 : 1;
});
