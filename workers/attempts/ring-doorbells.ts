import { ringDoorbells as ring } from '@/lib/attempts/service/ring-doorbells';
import { ringDueDeliveries } from '@/lib/webhooks/service/ring-due-deliveries';

export async function ringDoorbells(): Promise<void> {
  await ring();
  await ringDueDeliveries();
}
