/** Work that waits in PostgreSQL, across organizations: for the watchdog and the metrics. */

import type { RawDb } from '@/lib/platform/db/raw';
import { sqlRows } from '@/lib/platform/db/sql';

export const WORK_QUEUES = ['attempts', 'deliveries', 'settlements', 'alerts'] as const;

export interface QueueRow {
  queue: (typeof WORK_QUEUES)[number];
  /** Due. */
  waiting: number;
  /** Not due yet. */
  delayed: number;
  /** Since when the oldest is due; null if none is. */
  oldest: Date | null;
}

/** Reads every queue by its index: attempts for a runner, messages, results to settle, alerts to process. */
export function readQueues(db: RawDb, now: Date): Promise<QueueRow[]> {
  return sqlRows(db)<QueueRow>`select 'attempts' as queue,
      count(*) filter (where coalesce(not_before, queued_at) <= ${now})::int as waiting,
      count(*) filter (where coalesce(not_before, queued_at) > ${now})::int as delayed,
      min(coalesce(not_before, queued_at)) filter (where coalesce(not_before, queued_at) <= ${now}) as oldest
    from attempt where status = 'queued'
    union all select 'deliveries', count(*) filter (where next_attempt_at <= ${now})::int,
      count(*) filter (where next_attempt_at > ${now})::int, min(next_attempt_at) filter (where next_attempt_at <= ${now})
    from webhook_delivery where status in ('scheduled', 'retrying')
    union all select 'settlements', count(*) filter (where coalesce(settle_retry_at, result_at) <= ${now})::int,
      count(*) filter (where coalesce(settle_retry_at, result_at) > ${now})::int,
      min(result_at) filter (where coalesce(settle_retry_at, result_at) <= ${now})
    from attempt where status in ('claimed', 'running', 'stopping') and result is not null and settled_at is null
    union all select 'alerts', count(*) filter (where next_attempt_at <= ${now})::int,
      count(*) filter (where next_attempt_at > ${now})::int, min(next_attempt_at) filter (where next_attempt_at <= ${now})
    from signal_request where state = 'received'`;
}
