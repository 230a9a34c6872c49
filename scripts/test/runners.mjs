import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { checkout } from '../bootstrap/folders.mjs';
import { findFreePort, requireFreePort } from '../bootstrap/ports.mjs';
import { StartProblem } from '../bootstrap/problem.mjs';
import { playwrightFailures } from './failures.mjs';
import { runShown } from './run-command.mjs';
import { playwrightFiles } from './slowest.mjs';
import { countPlaywright, withFailedRun } from './tally.mjs';
import { VITEST_REPORT_VARIABLE } from './vitest-report.mjs';

const VITEST = 'node_modules/vitest/vitest.mjs';
const TALLY_REPORTER = path.join(checkout, 'scripts/test/vitest-report.mjs');
const NOTHING_REPORTED = { passed: 0, failed: 0, skipped: 0 };
const PLAYWRIGHT = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'tests/e2e'];

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

async function withReport(work) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-report-'));
  try {
    return await work(path.join(folder, 'report.json'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * One tool whose exit is its verdict.
 *
 * @param {string[]} args
 * @param {import('./run-command.mjs').Output} output
 * @returns {Promise<import('./tally.mjs').Tally>}
 */
export async function runTool(args, output) {
  const isGood = await runShown(args, { output });
  return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0 };
}

/**
 * @param {string} project of vitest.config.mts
 * @param {{ files?: string[], env?: Record<string, string>, output?: import('./run-command.mjs').Output }} [options]
 *   files: only these
 * @returns {Promise<import('./tally.mjs').Tally>}
 */
export async function runVitest(project, { files = [], env = {}, output = 'inherit' } = {}) {
  return await withReport(async (report) => {
    const reporters = ['--reporter=default', `--reporter=${TALLY_REPORTER}`];
    const args = [VITEST, 'run', '--project', project, '--passWithNoTests', ...reporters, ...files];
    const reported = { ...env, [VITEST_REPORT_VARIABLE]: report };
    const isGood = await runShown(args, { env: reported, output });
    return withFailedRun(readReport(report) ?? NOTHING_REPORTED, isGood);
  });
}

/** The first of the ports that the browser tests use: two products, and a mail server for each. */
async function findBrowserPort() {
  for (;;) {
    const first = await findFreePort();
    try {
      for (const port of [first + 1, first + 1_000, first + 1_001]) {
        await requireFreePort(port, '127.0.0.1');
      }
      return first;
    } catch (error) {
      if (!(error instanceof StartProblem)) throw error;
    }
  }
}

/**
 * Against `npm start` on a new data folder.
 *
 * @param {Record<string, string>} env
 * @param {import('./run-command.mjs').Output} [output]
 * @returns {Promise<import('./tally.mjs').Tally>}
 */
export async function runPlaywright(env, output = 'inherit') {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-e2e-'));
  // PostgreSQL's own account has to get through.
  chmodSync(dataDir, 0o755);
  const port = String(await findBrowserPort());
  const place = { TIERWATCH_E2E_DATA_DIR: dataDir, TIERWATCH_E2E_PORT: port };
  try {
    return await withReport(async (report) => {
      const args = [...PLAYWRIGHT, '--reporter=list,json', '--pass-with-no-tests'];
      const reported = { ...env, ...place, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
      const isGood = await runShown(args, { env: reported, output });
      const results = readReport(report);
      const failures = playwrightFailures(results);
      const files = playwrightFiles(results);
      return withFailedRun({ ...countPlaywright(results), failures, files }, isGood);
    });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** How many browser tests there are, for a machine without a browser. */
export async function countBrowserTests() {
  return await withReport(async (report) => {
    const args = [...PLAYWRIGHT, '--list', '--reporter=json', '--pass-with-no-tests'];
    await runShown(args, { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report } });
    const countSpecs = (suite) =>
      (suite.specs?.length ?? 0) +
      (suite.suites ?? []).reduce((sum, each) => sum + countSpecs(each), 0);
    return (readReport(report)?.suites ?? []).reduce((sum, suite) => sum + countSpecs(suite), 0);
  });
}
