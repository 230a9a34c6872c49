/** A system for a whole test file; what its processes said is shown when a test fails. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, type RunnerTask } from 'vitest';
import {
  createTestDatabase,
  enterDatabase,
  leaveDatabase,
  type TestDatabase,
  useTestDatabase,
} from '../database';
import { foundAccount } from './account';
import { SHARED_FOLDER_VARIABLE } from './shared-folder';
import {
  makeDataDir,
  type Services,
  type System,
  type SystemOptions,
  startServices,
  startSystem,
  systemOf,
} from './system';

const SHOWN_LINES = 25;

/**
 * A system of the file's own, for tests that set something for all of it. Call at the top of the file; use the result inside tests and hooks only. `prepare` runs once the system
 * stands: runners, webhook receivers and whatever else every test needs.
 */
export function useSystem(
  options: SystemOptions = {},
  prepare: (system: System) => Promise<void> = async () => {},
): System {
  const database = useTestDatabase();
  const system = {} as System;
  beforeAll(async () => {
    Object.assign(system, await startSystem(database, options));
    await prepare(system);
  });
  closeAfterAll(system);
  return system;
}

interface SharedSystem {
  database: TestDatabase;
  services: Services;
}

/** Files of a process share it, one after the other. Its processes end with this one. */
const held = globalThis as unknown as { tierwatchSharedSystem?: Promise<SharedSystem> };

/** An address of this machine from which shared systems believe X-Forwarded-For. */
export const SHARED_PROXY = '127.0.0.2';

async function startSharedSystem(): Promise<SharedSystem> {
  const database = await createTestDatabase();
  enterDatabase(database);
  const dataDir = makeDataDir(process.env[SHARED_FOLDER_VARIABLE]);
  // Webhook receivers of tests are on this machine.
  const env = { TIERWATCH_ALLOW_PRIVATE_TARGETS: 'true', TIERWATCH_TRUSTED_PROXIES: SHARED_PROXY };
  return { database, services: await startServices(database, dataDir, { env }) };
}

/**
 * An organization of the file's own in a system that it shares with the files before it. A file that ends
 * web or worker starts them again. Use it as `useSystem`.
 */
export function useSharedSystem(
  prepare: (system: System) => Promise<void> = async () => {},
): System {
  const system = {} as System;
  beforeAll(async () => {
    held.tierwatchSharedSystem ??= startSharedSystem();
    const { database, services } = await held.tierwatchSharedSystem;
    await revive(services);
    enterDatabase(database);
    Object.assign(system, systemOf(services, await foundAccount(), makeDataDir()));
    await prepare(system);
  });
  afterAll(leaveDatabase);
  closeAfterAll(system);
  return system;
}

/** A file that failed may have left a process ended. */
async function revive({ web, worker, webAnswers }: Services): Promise<void> {
  for (const process of [web, worker]) if (!process.isRunning()) process.start();
  await webAnswers();
}

function closeAfterAll(system: System): void {
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern, and the second is the file
  afterAll(async ({}, file) => {
    if (!system.dataDir) return;
    await system.close();
    if (file.tasks.some(hasFailed)) {
      process.stderr.write(`${lastWords(system)}\nKept: ${system.dataDir}/logs\n`);
    } else {
      rmSync(system.dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}

function hasFailed(task: RunnerTask): boolean {
  if (task.result?.state === 'fail') return true;
  return task.type === 'suite' && task.tasks.some(hasFailed);
}

function lastWords(system: System): string {
  return system
    .processes()
    .map((process) => {
      try {
        const lines = process.output().trimEnd().split('\n').slice(-SHOWN_LINES);
        return `--- ${process.name}\n${lines.join('\n')}`;
      } catch {
        return `--- ${process.name} was not started`;
      }
    })
    .join('\n');
}
