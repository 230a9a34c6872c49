import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './scripts/test/longest-first.mjs';

/** They wait for processes that are killed or updated, and for many turns. */
const LONGEST = [
  'tests/product/ask.test.ts',
  'tests/product/runner-updates.test.ts',
  'tests/product/redis-away.test.ts',
  'tests/product/fallback.test.ts',
  'tests/product/chaos.test.ts',
  'tests/product/misbehaviour.test.ts',
];

/** The whole product as real processes; the web process needs the build that `npm test` makes. */
export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  test: {
    include: ['tests/product/**/*.test.ts'],
    globalSetup: ['tests/product/support/global-setup.ts', 'tests/cli/support/fetch-clis.mts'],
    pool: 'forks',
    // The files of a process share a system, unless they end its processes or set something for all of it.
    isolate: false,
    // A system is three processes and more, and mostly waits: three of them fit on two cores.
    maxWorkers: 3,
    sequence: { sequencer: longestFirst(LONGEST) },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
