/** Domain events of alerts. Ids are UUIDs. */

import { domainEvent } from '@/lib/platform/domain-events';
import type { SignalChange } from './occurrences';

/**
 * Alerts began, ended, or became more or less severe; in the order in which it happened. Repeats
 * that change nothing aren't published.
 *
 * `isNew`: the first message about this occurrence. `isReopened`: it had ended before. `status`: `resolved` is what the source reports,
 * and no proof of a recovery; `stale`: the source stopped reporting about it. `at`: when the change
 * took place, by the source's clock where it says so.
 */
export const signalsChanged = domainEvent<{
  projectId: string;
  changes: readonly SignalChange[];
}>('alerts.changed');
