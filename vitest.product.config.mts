import path from 'node:path';
import { defineConfig } from 'vitest/config';

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
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
