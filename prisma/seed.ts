import { seedDemo } from '@/lib/fleet/demo/service';
import { disconnectClients } from '@/lib/platform/db/clients';

try {
  await seedDemo();
} finally {
  await disconnectClients();
}
