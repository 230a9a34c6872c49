import { pruneRows as prune } from '@/lib/maintenance/service';

export function pruneRows(): Promise<void> {
  return prune();
}
