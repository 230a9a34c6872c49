import { endPauses as end } from '@/lib/projects/pauses-ended/service';

export function endPauses(): Promise<number> {
  return end();
}
