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
}

export const TRIGGERS: Record<ChainTrigger, TriggerFacts> = {
  schedule: { label: 'Scheduled', clause: 'on schedule', purpose: 'cycle' },
  manual: { label: 'By hand', clause: 'by hand', purpose: 'manual' },
  api: { label: 'API', clause: 'by API', purpose: 'manual' },
};
