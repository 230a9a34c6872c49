/** The setup of the unit stage, on test files that start processes. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
let folder = '';

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Each a unit test by its title. The last one hides the error. */
const UNIT_TESTS: Record<string, string> = {
  spawn: "spawn('true')",
  exec: "exec('true')",
  execFile: "execFile('true')",
  fork: "fork('agent.mjs')",
  spawnSync: "spawnSync('true')",
  execSync: "execSync('true')",
  execFileSync: "execFileSync('true')",
  caught: "try { execSync('true'); } catch {}",
  none: "expect(typeof spawn).toBe('function')",
};

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
});

it('[ENG-6.1] a unit test that starts a process fails and says where it belongs', async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'unit-tests-'));
  const tests = Object.entries(UNIT_TESTS).map(
    ([title, body]) => `it('${title}', () => { ${body} });`,
  );
  const imports =
    "import { exec, execFile, execFileSync, execSync, fork, spawn, spawnSync } from 'node:child_process';";
  await writeFile(path.join(folder, 'planted.test.js'), [imports, ...tests].join('\n'));
  const config = {
    test: { globals: true, setupFiles: [path.join(root, 'tests/support/no-processes.ts')] },
  };
  await writeFile(
    path.join(folder, 'vitest.config.mjs'),
    `export default ${JSON.stringify(config)}`,
  );
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const output = path.join(folder, 'report.json');
  const args = [vitest, 'run', '--root', folder, '--reporter=json', `--outputFile=${output}`];
  await expect(run(process.execPath, args)).rejects.toMatchObject({ code: 1 });

  const report = reportSchema.parse(JSON.parse(await readFile(output, 'utf8')));
  const results = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(results.filter(({ status }) => status === 'passed').map(({ title }) => title)).toEqual([
    'none',
  ]);
  expect(results.map(({ title }) => title)).toEqual(Object.keys(UNIT_TESTS));
  for (const { title, failureMessages } of results) {
    if (title !== 'none') expect(failureMessages.join('\n'), title).toContain('tests/processes');
  }
});
