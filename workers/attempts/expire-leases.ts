import { expireLeases as expire } from '@/lib/engine/sweep/expire-leases';

export function expireLeases(): Promise<number> {
  return expire();
}
