import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './scripts/test/longest-first.mjs';

const LONGEST = [
  'tests/cli/usage.test.ts',
  'tests/cli/sandbox/default-rules.test.ts',
  'tests/cli/continuity.test.ts',
  'tests/cli/permissions.test.ts',
];

export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  test: {
    include: ['tests/cli/**/*.test.ts'],
    globalSetup: ['tests/cli/support/fetch-clis.mts', 'tests/support/programs.ts'],
    // Files mostly wait for a process of the CLI, which takes 300 MB while it starts.
    maxWorkers: 3,
    sequence: { sequencer: longestFirst(LONGEST) },
    // A safety net: two tests try a hundred commands each, which takes a busy machine minutes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
