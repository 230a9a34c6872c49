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
  /** Who asked for what a prompt is given besides. */
  requester: string;
}

export const TRIGGERS: Record<ChainTrigger, TriggerFacts> = {
  schedule: {
    label: 'Scheduled',
    clause: 'on schedule',
    purpose: 'cycle',
    requester: 'The schedule',
  },
  manual: { label: 'By hand', clause: 'by hand', purpose: 'manual', requester: 'An operator' },
  api: { label: 'API', clause: 'by API', purpose: 'manual', requester: 'The caller of the API' },
};

/** Returns the sentence with the text that a chain was started with; null if there was none. */
export function requestSentence(trigger: ChainTrigger, text: string | null): string | null {
  return text && `${TRIGGERS[trigger].requester} asks for this besides: ${text}`;
}
