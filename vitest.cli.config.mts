import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  test: {
    include: ['tests/cli/**/*.test.ts'],
    globalSetup: ['tests/cli/support/fetch-clis.mts', 'tests/support/programs.ts'],
    // Files mostly wait for a process of the CLI, which takes 300 MB while it starts.
    maxWorkers: 3,
    // A safety net: two tests try a hundred commands each, which takes a busy machine minutes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
