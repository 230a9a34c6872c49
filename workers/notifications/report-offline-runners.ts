import { reportOfflineRunners as report } from '@/lib/fleet/offline';

export function reportOfflineRunners(): Promise<number> {
  return report();
}
