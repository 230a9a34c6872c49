import { seedDemo } from '@/lib/fleet/demo-organization';
import { disconnectClients } from '@/lib/platform/db/clients';

const runnerDir = process.argv[2];
if (!runnerDir) throw new Error('Pass the folder of the local runner.');
try {
  await seedDemo(runnerDir);
} finally {
  await disconnectClients();
}
