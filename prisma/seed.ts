import { seedDemo } from '@/lib/fleet/demo-organization';
import { disconnectClients } from '@/lib/platform/db/clients';

try {
  await seedDemo();
} finally {
  await disconnectClients();
}
