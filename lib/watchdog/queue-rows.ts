/** Work that waits in PostgreSQL, across organizations: for the watchdog and the metrics. */

import { Prisma } from '@/generated/prisma/client';
import type { SystemQuery } from '@/lib/platform/db/global-db';

export const WORK_QUEUES = ['attempts', 'deliveries', 'settlements', 'alerts'] as const;

export interface QueueRow {
  queue: (typeof WORK_QUEUES)[number];
  /** Due. PostgreSQL's counts are text. */
  waiting: string;
  /** Not due yet. */
  delayed: string;
  /** Since when the oldest is due; null if none is. */
  oldest: Date | null;
}

/** Reads every queue by its index: attempts for a runner, messages, results to settle, alerts to process. */
export function readQueues(query: SystemQuery, now: Date): Promise<QueueRow[]> {
  const at = Prisma.sql`${now}::timestamptz`;
  return query<QueueRow>(Prisma.sql`select 'attempts' as queue,
      count(*) filter (where coalesce(not_before, queued_at) <= ${at}) as waiting,
      count(*) filter (where coalesce(not_before, queued_at) > ${at}) as delayed,
      min(coalesce(not_before, queued_at)) filter (where coalesce(not_before, queued_at) <= ${at}) as oldest
    from attempt where status = 'queued'
    union all select 'deliveries', count(*) filter (where next_attempt_at <= ${at}),
      count(*) filter (where next_attempt_at > ${at}), min(next_attempt_at) filter (where next_attempt_at <= ${at})
    from webhook_delivery where status in ('scheduled', 'retrying')
    union all select 'settlements', count(*) filter (where coalesce(settle_retry_at, result_at) <= ${at}),
      count(*) filter (where coalesce(settle_retry_at, result_at) > ${at}),
      min(result_at) filter (where coalesce(settle_retry_at, result_at) <= ${at})
    from attempt where status in ('claimed', 'running', 'stopping') and result is not null and settled_at is null
    union all select 'alerts', count(*) filter (where next_attempt_at <= ${at}),
      count(*) filter (where next_attempt_at > ${at}), min(next_attempt_at) filter (where next_attempt_at <= ${at})
    from signal_request where state = 'received'`);
}
