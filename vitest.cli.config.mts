import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  test: {
    include: ['tests/cli/**/*.test.ts'],
    globalSetup: ['tests/cli/support/fetch-clis.mts'],
    // One process of the CLI takes 300 MB while it starts.
    maxWorkers: 2,
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});
