import { pruneRows as prune } from '@/lib/engine/maintenance/service';

export function pruneRows(): Promise<void> {
  return prune();
}
