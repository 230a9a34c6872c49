import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** What stands at the top level, and what demands it there. */
const ALLOWED: Record<string, string> = {
  // The parts of the product.
  app: 'Next.js serves it',
  cli: 'entry point: the tierwatch command',
  docs: 'the manual',
  lib: 'the modules',
  prisma: 'schema and migrations',
  'docker-compose.yml': 'docker compose reads it',
  prompts: 'the prompts of the agents',
  scripts: 'what package.json runs',
  tests: 'everything but unit tests, with the benches',
  workers: 'entry points: worker and runner',
  // What people and CI read first.
  '.ci': 'CI runs .ci/run',
  'CHANGELOG.md': 'readers look for it here',
  'CONTRIBUTING.md': 'readers look for it here',
  'README.md': 'readers look for it here',
  // What tools look for beside package.json.
  '.dockerignore': 'docker build reads it from the root of its context',
  '.gitignore': 'git',
  '.node-version': 'version managers',
  '.npmrc': 'npm',
  Dockerfile: 'docker build reads it from the root of its context',
  'biome.json': 'Biome, and the editors that start it',
  'instrumentation-client.ts': 'Next.js loads it from beside app',
  'instrumentation.ts': 'Next.js loads it from beside app',
  'next.config.ts': 'Next.js',
  'package-lock.json': 'npm',
  'package.json': 'npm',
  'postcss.config.mjs': 'Next.js',
  'prisma.config.ts': 'Prisma',
  'proxy.ts': 'Next.js loads it from beside app',
  'tsconfig.json': 'TypeScript, Next.js, and the editors that start them',
  'vitest.config.mts': 'Vitest',
};

const files = execFileSync('git', ['ls-files'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '');

it('[CRD-1.2] the top level holds what the product is made of and what tools demand there', () => {
  const there = new Set(files.map((file) => file.split('/', 1)[0] ?? ''));
  expect([...there].toSorted(), 'Can it move into a folder? If not, say why in ALLOWED.').toEqual(
    Object.keys(ALLOWED).toSorted(),
  );
});

it('[CRD-1.2] there is one Vitest configuration, and benches are below tests', () => {
  const configs = files.filter((file) =>
    /(^|\/)(vite|vitest)\.[^/]*(config|workspace)\b/.test(file),
  );
  expect(configs, 'Add a project to it.').toEqual(['vitest.config.mts']);
  const benches = files.filter((file) => file.endsWith('.bench.ts'));
  expect(benches.length).toBeGreaterThan(0);
  expect(benches.filter((file) => !file.startsWith('tests/bench/'))).toEqual([]);
});
