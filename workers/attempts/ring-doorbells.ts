import { ringDueDeliveries } from '@/lib/deliveries/recover-deliveries';
import { ringDoorbells as ring } from '@/lib/engine/sweep/ring-doorbells';

export async function ringDoorbells(): Promise<void> {
  await ring();
  await ringDueDeliveries();
}
