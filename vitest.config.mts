import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
  test: {
    include: [
      'lib/**/*.test.{ts,tsx}',
      'app/**/*.test.{ts,tsx}',
      'cli/**/*.test.ts',
      'workers/**/*.test.ts',
      'prompts/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    exclude: ['node_modules/**'],
    setupFiles: ['tests/support/no-processes.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 300_000,
  },
});
