import { expireLeases as expire } from '@/lib/engine/attempts/service/expire-leases';

export function expireLeases(): Promise<number> {
  return expire();
}
