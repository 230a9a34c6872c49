import { reportOfflineRunners as report } from '@/lib/fleet/offline/service';

export function reportOfflineRunners(): Promise<number> {
  return report();
}
