/** `npm test`: sets up what is missing and runs everything. The last line is the sum. */
import { ensureInstalled } from './bootstrap/install.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { runMain } from './bootstrap/problem.mjs';
import { sum, tallyLine } from './test/tally.mjs';

async function runOnRedis(runVitest) {
  const { findProgram, listQueueTests, startRedis } = await import('./test/redis.mjs');
  const files = listQueueTests();
  const program = findProgram('redis-server');
  if (!program) process.stdout.write('\nNo redis-server on the PATH: nothing is run on Redis.\n');
  if (!program || files.length === 0) return [];
  const redis = await startRedis(program);
  try {
    const env = { TIERWATCH_TEST_REDIS_URL: redis.url };
    return [await runVitest('Queues on Redis', 'vitest.integration.config.mts', { files, env })];
  } finally {
    await redis.stop();
  }
}

async function runInBrowser({ runPlaywright, countBrowserTests }) {
  const { findChromium } = await import('./test/browser.mjs');
  const chromium = findChromium();
  if (chromium) return await runPlaywright('Browser', { CHROMIUM_PATH: chromium });
  const skipped = await countBrowserTests();
  process.stdout.write(
    '\nThe browser tests are skipped: no Chromium at /usr/bin/chromium. Install it, or set CHROMIUM_PATH.\n',
  );
  return { passed: 0, failed: 0, skipped };
}

await runMain(async () => {
  // Until the sum says otherwise: a run that breaks off is no success.
  process.exitCode = 1;
  requireNode();
  await ensureInstalled();
  // Loaded now, because these need the packages.
  const { ensureClient } = await import('./bootstrap/prisma.mjs');
  const { ensureBuilt } = await import('./bootstrap/build.mjs');
  const { runChecks } = await import('./test/checks.mjs');
  const { runPageWeight } = await import('./test/page-weight.mjs');
  const runners = await import('./test/runners.mjs');
  const { runVitest } = runners;

  await ensureClient();
  await ensureBuilt();
  const tallies = await runChecks();
  tallies.push(runPageWeight());
  tallies.push(await runVitest('Units', 'vitest.config.mts'));
  tallies.push(await runVitest('Integration', 'vitest.integration.config.mts'));
  tallies.push(...(await runOnRedis(runVitest)));
  tallies.push(await runVitest('Claude Code', 'vitest.cli.config.mts'));
  tallies.push(await runVitest('Product', 'vitest.product.config.mts'));
  tallies.push(await runInBrowser(runners));

  const total = sum(tallies);
  process.exitCode = total.failed > 0 ? 1 : 0;
  process.stdout.write(`\n${tallyLine(total)}\n`);
});
