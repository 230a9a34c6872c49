import { disconnectClients } from '@/lib/db/clients';
import { seedDemo } from '@/lib/demo/service';

try {
  await seedDemo();
} finally {
  await disconnectClients();
}
