import { seedDemo } from '@/lib/fleet/demo-organization';
import { disconnectClients } from '@/lib/platform/db/clients';
import { newProjectIsolation } from '@/lib/projects/new-project';
import { findSandbox } from '@/workers/runner/sandbox/confinement';

const runnerDir = process.argv[2];
if (!runnerDir) throw new Error('Pass the folder of the local runner.');
try {
  // The local runner hasn't reported yet what it can do on this machine.
  const found = await findSandbox(runnerDir, process.env.PATH ?? '');
  await seedDemo(runnerDir, newProjectIsolation('file' in found));
} finally {
  await disconnectClients();
}
