/** Bundles the programs that a test run starts as processes: those of the product, and those of tests. */
import path from 'node:path';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { bundleProgram, ensurePrograms } from '@/scripts/bootstrap/programs.mjs';

const PROGRAMS = {
  /** Does a task that is killed in the middle of it. */
  crash: 'tests/support/crash/child.ts',
  logging: 'tests/support/logging/program.ts',
  /** A runner for the fake control plane. */
  runner: 'tests/support/fake-control-plane/runner-program.ts',
  /** A runner that knows the third agent CLI. */
  'third-agent-runner': 'tests/support/third-agent/runner-program.ts',
};

/** The file that Node runs for a program of the tests. */
export function testProgram(name: keyof typeof PROGRAMS): string {
  return path.join(checkout, 'dist', 'tests', `${name}.mjs`);
}

/** Global setup: of the product's own, those that tests of single parts start. */
export default () =>
  ensurePrograms(['demo-service', 'runner', 'hook', 'mcp-server', 'sandbox-entry', 'demo-agent']);

/** For tests of the whole system. */
export async function ensureTestPrograms(): Promise<void> {
  await ensurePrograms();
  const names = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[];
  await Promise.all(names.map((name) => bundleProgram(PROGRAMS[name], testProgram(name))));
}
