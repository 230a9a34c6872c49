import { ringDueDeliveries } from '@/lib/deliveries/webhooks/service/ring-due-deliveries';
import { ringDoorbells as ring } from '@/lib/engine/attempts/service/ring-doorbells';

export async function ringDoorbells(): Promise<void> {
  await ring();
  await ringDueDeliveries();
}
