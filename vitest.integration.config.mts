import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests on a real PostgreSQL, and of the start itself. */
export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  test: {
    include: ['tests/integration/**/*.test.ts', 'tests/bootstrap/**/*.test.ts'],
    globalSetup: ['tests/support/global-setup.ts'],
    setupFiles: ['tests/support/third-agent/setup.ts', 'tests/support/subscriptions.ts'],
    sequence: { setupFiles: 'list' },
    pool: 'forks',
    // Files wait for processes and deadlines, so one more than a small machine has cores.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
