import { reportOfflineRunners as report } from '@/lib/runners/offline/service';

export function reportOfflineRunners(): Promise<number> {
  return report();
}
