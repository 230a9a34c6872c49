import type { ChainItem } from '@/lib/insight/chains/schema';

export const TRIGGER_WORDS: Record<ChainItem['trigger'], string> = {
  schedule: 'Scheduled',
  manual: 'By hand',
  api: 'API',
};
