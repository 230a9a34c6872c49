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
  /** What a text that can come with a start is, as the beginning of a sentence for a prompt. */
  request: string;
}

/** `check` and `alert`: an incident needs a look. */
export const TRIGGERS: Record<ChainTrigger, TriggerFacts> = {
  schedule: {
    label: 'Scheduled',
    clause: 'on schedule',
    purpose: 'cycle',
    request: 'The schedule also asks',
  },
  manual: {
    label: 'Manual',
    clause: 'manually',
    purpose: 'manual',
    request: 'An operator also asks',
  },
  api: { label: 'API', clause: 'by API', purpose: 'manual', request: 'An API client also asks' },
  check: {
    label: 'Check',
    clause: 'since checks fail',
    purpose: 'cycle',
    request: 'The checks report',
  },
  alert: {
    label: 'Alert',
    clause: 'since an alert arrived',
    purpose: 'cycle',
    request: 'An alert reports',
  },
};

/** Returns the request that a chain was started with, as a sentence for a prompt; null without one. */
export function startRequestSentence(trigger: ChainTrigger, text: string | null): string | null {
  return text && `${TRIGGERS[trigger].request}: ${text}`;
}
