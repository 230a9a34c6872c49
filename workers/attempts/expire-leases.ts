import { expireLeases as expire } from '@/lib/attempts/service/expire-leases';

export function expireLeases(): Promise<number> {
  return expire();
}
