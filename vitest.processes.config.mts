import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Single parts as real processes: the demo agent, the demo service and the programs beside an agent. */
export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  test: {
    include: ['tests/processes/**/*.test.ts'],
    globalSetup: ['tests/support/programs.ts'],
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
