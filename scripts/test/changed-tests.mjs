/** The integration tests that `npm test -- --quick` runs: those of the modules that have changed. */

import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkout } from '../bootstrap/folders.mjs';

const run = promisify(execFile);

/**
 * Folders of tests/integration by the source that they test; the longest path that fits a file counts.
 * Pages have none: the browser tests show them.
 *
 * @type {Record<string, string[]>}
 */
export const TESTED_IN = {
  app: [],
  'app/_actions': ['api', 'tenancy'],
  'app/api': ['api', 'tenancy'],
  cli: ['api'],
  'lib/agents': ['agents', 'chains', 'runner'],
  'lib/signals': ['signals', 'incidents'],
  'lib/api': ['api'],
  'lib/commands': ['engine', 'projects'],
  'lib/conversations': ['conversations'],
  'lib/deliveries': ['notifications', 'webhooks', 'paging'],
  'lib/engine': ['chains', 'checkpoints', 'engine', 'seals'],
  'lib/fleet': ['runners'],
  'lib/identity': ['accounts', 'audit', 'members', 'organizations', 'tenancy'],
  'lib/incidents': ['incidents', 'paging'],
  'lib/insight': ['analytics', 'getting-started', 'search', 'sessions'],
  'lib/mcp': ['mcp'],
  'lib/monitoring': ['monitoring'],
  'lib/operations': ['api', 'tenancy'],
  'lib/paging': ['paging'],
  'lib/platform': ['maintenance', 'redaction', 'tenancy'],
  'lib/projects': ['projects'],
  'lib/protocol': ['monitoring', 'runner'],
  'lib/telemetry': ['telemetry'],
  'lib/watchdog': ['watchdog'],
  prisma: ['maintenance', 'tenancy'],
  prompts: ['chains'],
  workers: ['maintenance'],
  'workers/demo-service': ['getting-started'],
  'workers/runner': ['runner', 'runners'],
};

const TESTS = 'tests/integration';
const isTest = (file) => /\.test\.tsx?$/.test(file);

/** A test itself, or the folders of tests for any other file. @param {string} file */
function testsOf(file) {
  const folder = /^tests\/integration\/[^/]+/.exec(file)?.[0];
  if (folder) return [isTest(file) ? file : folder];
  // A unit test runs anyway, and a text changes no outcome.
  if (isTest(file) || file.endsWith('.md')) return [];
  const sources = Object.keys(TESTED_IN).filter((source) => file.startsWith(`${source}/`));
  const source = sources.toSorted((one, other) => other.length - one.length)[0];
  return source ? TESTED_IN[source].map((name) => `${TESTS}/${name}`) : [];
}

/**
 * The integration tests for changed files, each once.
 * @param {string[]} changed paths from the checkout's root, with `/`
 * @param {string[]} tests every integration test there is
 */
export function testsOfChanges(changed, tests) {
  const wanted = new Set(changed.flatMap(testsOf));
  return tests.filter((test) => wanted.has(test) || wanted.has(test.split('/', 3).join('/')));
}

async function git(...args) {
  const { stdout } = await run('git', args, { cwd: checkout, maxBuffer: 64_000_000 });
  return stdout;
}

/** What is compared with: where this branch left the main one, or the commit before the last. */
async function base() {
  const head = (await git('rev-parse', 'HEAD')).trim();
  for (const main of ['@{upstream}', 'origin/HEAD', 'main', 'master']) {
    const left = await git('merge-base', 'HEAD', main).then(
      (text) => text.trim(),
      () => null,
    );
    if (left !== null && left !== head) return left;
  }
  return 'HEAD~1';
}

/**
 * Files that differ from where this branch began, those that aren't committed among them.
 * @returns {Promise<string[] | null>} null where git can't say: an archive, or a clone of one commit
 */
export async function listChanges() {
  try {
    const differing = await git('diff', '--name-only', '--no-renames', '-z', await base());
    const untracked = await git('ls-files', '--others', '--exclude-standard', '-z');
    return `${differing}${untracked}`.split('\0').filter((file) => file !== '');
  } catch {
    return null;
  }
}

/** Every integration test of the checkout. */
export function listTests() {
  return readdirSync(path.join(checkout, TESTS), { recursive: true, encoding: 'utf8' })
    .filter(isTest)
    .map((name) => `${TESTS}/${name.split(path.sep).join('/')}`)
    .toSorted();
}
