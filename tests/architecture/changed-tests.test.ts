import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { listTests, TESTED_IN, testsOfChanges } from '@/scripts/test/changed-tests.mjs';
import { MODULE_ORDER } from './modules';

const root = path.resolve(import.meta.dirname, '../..');

const TESTS = [
  'tests/integration/api/access.test.ts',
  'tests/integration/incidents/merge.test.ts',
  'tests/integration/incidents/night.test.ts',
  'tests/integration/maintenance/retention.test.ts',
  'tests/integration/runner/spool.test.ts',
  'tests/integration/runners/door.test.ts',
  'tests/integration/tenancy/rows.test.ts',
];
const of = (...names: string[]) => names.map((name) => `tests/integration/${name}.test.ts`);

it.each([
  ['a module', ['lib/incidents/merge-incident.ts'], of('incidents/merge', 'incidents/night')],
  ['one file of a module twice', ['lib/api/route.ts', 'cli/main.ts'], of('api/access')],
  ['the longest path that fits', ['workers/runner/run.ts'], of('runner/spool', 'runners/door')],
  ['the rest of a folder', ['workers/maintenance.ts'], of('maintenance/retention')],
  ['a name that begins with another', ['tests/integration/runner/host.ts'], of('runner/spool')],
  ['a test', ['tests/integration/incidents/night.test.ts'], of('incidents/night')],
  [
    'what tests of a folder share',
    ['tests/integration/incidents/support/watching.ts'],
    of('incidents/merge', 'incidents/night'),
  ],
  ['a test that was deleted', ['tests/integration/incidents/gone.test.ts'], []],
  ['a unit test, a text, a page', ['lib/api/a.test.ts', 'lib/api/README.md', 'app/page.tsx'], []],
  ['a module that nobody knows', ['lib/unknown/a.ts'], []],
])('[ENG-6.1] the integration tests of changes: %s', (_, changed, expected) =>
  expect(testsOfChanges(changed, TESTS)).toEqual(expected),
);

it('[ENG-6.1] a quick run knows every module and every folder of integration tests', () => {
  const modules = MODULE_ORDER.flat().map((name) => `lib/${name}`);
  expect(modules.filter((name) => !(name in TESTED_IN))).toEqual([]);
  const sources = Object.keys(TESTED_IN).filter((source) => source.startsWith('lib/'));
  expect(sources.filter((source) => !modules.includes(source))).toEqual([]);
  const folders = readdirSync(path.join(root, 'tests/integration'));
  expect([...new Set(Object.values(TESTED_IN).flat())].toSorted()).toEqual(folders.toSorted());
  expect(listTests().length).toBeGreaterThan(folders.length);
});
