import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './scripts/test/longest-first.mjs';
import { ALONE } from './tests/support/alone.mjs';

/** They wait for processes and deadlines most of the time. */
const LONGEST = [
  'tests/bootstrap/supervision.test.ts',
  'tests/integration/seals/s3-faults.test.ts',
  'tests/bootstrap/start.test.ts',
  'tests/integration/api/command-line.test.ts',
  'tests/bootstrap/full-disk.test.ts',
  'tests/integration/watchdog/dead-mans-switch.test.ts',
];

const alias = { '@': path.resolve(import.meta.dirname) };

function project(name: string, files: { include: string[]; exclude?: string[] }, isolate: boolean) {
  return {
    resolve: { alias },
    test: {
      name,
      ...files,
      isolate,
      setupFiles: ['tests/support/third-agent/setup.ts', 'tests/support/subscriptions.ts'],
      sequence: { setupFiles: 'list' as const },
      restoreMocks: true,
      pool: 'forks' as const,
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  };
}

/**
 * Tests on a real PostgreSQL, and of the start itself. Most files share the modules of their process:
 * loading them anew would take a quarter of the time.
 */
export default defineConfig({
  resolve: { alias },
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // Files wait for processes and deadlines, so one more than a small machine has cores.
    maxWorkers: 3,
    sequence: { sequencer: longestFirst(LONGEST) },
    projects: [
      project(
        'shared',
        {
          include: ['tests/integration/**/*.test.ts', 'tests/bootstrap/**/*.test.ts'],
          exclude: ALONE,
        },
        false,
      ),
      project('alone', { include: ALONE }, true),
    ],
  },
});
