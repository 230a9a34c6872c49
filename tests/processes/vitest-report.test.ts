/** What `npm test` reads about a run of Vitest, on test files that fail in every way. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { VITEST_REPORT_VARIABLE } from '@/scripts/test/vitest-report.mjs';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
let folder = '';

afterEach(() => rm(folder, { recursive: true, force: true }));

const TEST_FILES: Record<string, string> = {
  'assertion.test.mjs': `
    it('holds', () => {});
    describe('sum', () => it('adds', () => { expect(1 + 1).toBe(3); }));`,
  'hook.test.mjs': `
    describe('inner', () => {
      beforeAll(() => { throw new Error('no database'); });
      it('one', () => {});
      it('two', () => {});
    });`,
  'teardown.test.mjs': `
    afterAll(() => { throw new Error('no end'); });
    it('three', () => {});`,
  'load.test.mjs': "import './missing.mjs';",
  'late.test.mjs': `
    it('four', async () => {
      setTimeout(() => { throw new Error('too late'); });
      await new Promise((resolve) => setTimeout(resolve, 100));
    });`,
};

it('[ENG-6.1] names failed tests, failed hooks, files that do not load and errors outside of tests', async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tw-report-'));
  for (const [name, text] of Object.entries(TEST_FILES)) {
    await writeFile(path.join(folder, name), text);
  }
  const report = path.join(folder, 'report.json');
  const reporter = path.join(root, 'scripts/test/vitest-report.mjs');
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--globals', `--root=${folder}`, `--reporter=${reporter}`];
  const env = { ...process.env, [VITEST_REPORT_VARIABLE]: report };
  await expect(run(process.execPath, args, { cwd: root, env })).rejects.toMatchObject({ code: 1 });

  const { failures, files, ...counts } = JSON.parse(await readFile(report, 'utf8'));
  expect(counts).toEqual({ passed: 3, failed: 5, skipped: 2 });
  // What a file took includes its waits.
  const times = new Map(files.map(({ file, ms }: { file: string; ms: number }) => [file, ms]));
  expect([...times.keys()].toSorted()).toEqual(Object.keys(TEST_FILES).toSorted());
  expect(times.get('late.test.mjs')).toBeGreaterThan(90);
  const reasons = Object.fromEntries(
    failures.map(({ title, reason }: { title: string; reason: string }) => [title, reason]),
  );
  expect(reasons).toEqual({
    'assertion.test.mjs › sum > adds': expect.stringContaining('expected 2 to be 3'),
    'hook.test.mjs › inner': expect.stringMatching(/no database\n.*hook\.test\.mjs:3/),
    'teardown.test.mjs': expect.stringContaining('no end'),
    'load.test.mjs': expect.stringContaining('missing.mjs'),
    'Outside any test': expect.stringContaining('too late'),
  });
});
