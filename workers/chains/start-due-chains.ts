import { startDueChains as start } from '@/lib/engine/chains/service/start-due-chains';

export function startDueChains(): Promise<number> {
  return start();
}
