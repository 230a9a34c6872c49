import type { HopFilter } from '@/lib/insight/chains/schema';

/** How the filter by the kind of escalation is named above a list. */
export const HOP_WORDS: Record<HopFilter, string> = {
  any: 'Escalated to another tier',
  resume: 'Resumed',
  handoff: 'Handed off',
  fallback: 'Handed off after a failed resume',
};
