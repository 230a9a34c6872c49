/** What is particular to each trigger of chains. Without zod, so pages can load it. */

import type { StartPurpose } from './continuation/schema';
import type { ChainTrigger } from './statuses';

interface TriggerFacts {
  /** As lists and headings of chains show it. */
  label: string;
  /** Completes `Chain #12 of Checkout started …`. */
  clause: string;
  /** What the first tier of such a chain starts for. */
  purpose: Extract<StartPurpose, 'cycle' | 'manual'>;
  /** Who entered the request that can come with a start, as the subject of a sentence. */
  requester: string;
}

export const TRIGGERS: Record<ChainTrigger, TriggerFacts> = {
  schedule: {
    label: 'Scheduled',
    clause: 'on schedule',
    purpose: 'cycle',
    requester: 'The schedule',
  },
  manual: { label: 'Manual', clause: 'manually', purpose: 'manual', requester: 'An operator' },
  api: { label: 'API', clause: 'by API', purpose: 'manual', requester: 'An API client' },
};

/** Returns the request that a chain was started with, as a sentence for a prompt; null without one. */
export function startRequestSentence(trigger: ChainTrigger, text: string | null): string | null {
  return text && `${TRIGGERS[trigger].requester} also asks: ${text}`;
}
