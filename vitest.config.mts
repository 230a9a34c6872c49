import path from 'node:path';
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config';
import { longestFirst } from './scripts/test/longest-first.mjs';
import { ALONE } from './tests/support/alone.mjs';

type Project = NonNullable<UserWorkspaceConfig['test']> & { name: string };

/** Nets for what hangs, wide enough for a machine that is busy with something else. */
const NETS = { testTimeout: 300_000, hookTimeout: 300_000 };

/** On a real PostgreSQL, and tests of the start itself. */
const INTEGRATION = {
  globalSetup: ['tests/support/global-setup.ts'],
  setupFiles: [
    'tests/support/third-agent/setup.ts',
    'tests/support/subscriptions.ts',
    'tests/support/fast-passwords.ts',
  ],
  sequence: { setupFiles: 'list' as const },
  restoreMocks: true,
  // Garbage is collected less often, which takes a tenth off the CPU time of a worker.
  execArgv: ['--max-semi-space-size=32'],
  // Files wait for processes and deadlines, so one more than a small machine has cores.
  maxWorkers: 3,
  ...NETS,
};

/** Those of a group run together and share their workers; the groups run one after the other. */
const GROUPS: Project[][] = [
  [
    {
      name: 'units',
      include: [
        'lib/**/*.test.{ts,tsx}',
        'app/**/*.test.{ts,tsx}',
        'cli/**/*.test.ts',
        'workers/**/*.test.ts',
        'prompts/**/*.test.ts',
        'scripts/**/*.test.ts',
      ],
      setupFiles: ['tests/support/no-processes.ts'],
      pool: 'threads',
      isolate: false,
      maxWorkers: 2,
      testTimeout: 300_000,
    },
  ],
  // Some of these tests read every file of the checkout.
  [{ name: 'architecture', include: ['tests/architecture/**/*.test.ts'], testTimeout: 60_000 }],
  [
    {
      ...INTEGRATION,
      name: 'integration-shared',
      include: ['tests/integration/**/*.test.ts', 'tests/bootstrap/**/*.test.ts'],
      exclude: ALONE,
      // Most files share the modules of their process: loading them anew would take a quarter of the time.
      isolate: false,
    },
    { ...INTEGRATION, name: 'integration-alone', include: ALONE },
  ],
  [
    {
      // The whole product as real processes; the web process needs the build that `npm test` makes.
      name: 'product',
      include: ['tests/product/**/*.test.ts'],
      globalSetup: ['tests/product/support/global-setup.ts', 'tests/cli/support/fetch-clis.mts'],
      // The files of a process share a system, unless they set something for all of it.
      isolate: false,
      // A system is three processes and more, and mostly waits: three of them fit on two cores.
      maxWorkers: 3,
      ...NETS,
    },
  ],
  [
    {
      name: 'cli',
      include: ['tests/cli/**/*.test.ts'],
      globalSetup: ['tests/cli/support/fetch-clis.mts', 'tests/support/programs.ts'],
      isolate: false,
      // Files mostly wait for a process of the CLI, which takes 300 MB while it starts.
      maxWorkers: 3,
      ...NETS,
    },
  ],
  [
    {
      // The trees of the images, run as docker-compose.yml says, without an engine.
      name: 'containers',
      include: ['tests/containers/**/*.test.ts'],
      globalSetup: [
        'tests/support/containers/build-images.mts',
        'tests/cli/support/fetch-clis.mts',
      ],
      maxWorkers: 1,
      testTimeout: 600_000,
      hookTimeout: 900_000,
    },
  ],
  [
    {
      // Single parts as real processes: the demo agent, the demo service and the programs beside an agent.
      name: 'processes',
      include: ['tests/processes/**/*.test.ts'],
      globalSetup: ['tests/support/programs.ts'],
      restoreMocks: true,
      isolate: false,
      maxWorkers: 2,
      ...NETS,
    },
  ],
];

/** Of each project: they wait for processes, deadlines and many turns. */
const LONGEST = [
  'tests/bootstrap/supervision.test.ts',
  'tests/integration/seals/s3-faults.test.ts',
  'tests/bootstrap/start.test.ts',
  'tests/integration/api/command-line.test.ts',
  'tests/bootstrap/full-disk.test.ts',
  'tests/integration/watchdog/dead-mans-switch.test.ts',
  'tests/product/chaos.test.ts',
  'tests/product/ask.test.ts',
  'tests/product/redis-away.test.ts',
  'tests/product/runner-updates.test.ts',
  'tests/product/moved.test.ts',
  'tests/product/fallback.test.ts',
  'tests/product/misbehaviour.test.ts',
  'tests/cli/usage.test.ts',
  'tests/cli/sandbox/default-rules.test.ts',
  'tests/cli/continuity.test.ts',
  'tests/cli/permissions.test.ts',
];

/**
 * `npx vitest run <path>` runs a file in its project, and starts what that one needs. Vitest takes the order
 * of files from the root alone, and refuses projects with different workers in one group.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: longestFirst(LONGEST) },
    projects: GROUPS.flatMap((group, groupOrder) =>
      group.map((test) => ({
        resolve: { alias: { '@': path.resolve(import.meta.dirname) } },
        test: { ...test, sequence: { ...test.sequence, groupOrder } },
      })),
    ),
  },
});
