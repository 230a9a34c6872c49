import { endPauses as end } from '@/lib/pauses/ended/service';

export function endPauses(): Promise<number> {
  return end();
}
