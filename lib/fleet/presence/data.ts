import { Prisma } from '@/generated/prisma/client';
import { lookUp } from '@/lib/platform/db/global-db';
import { PRESENCE_GAP_SECONDS, RUNNER_API } from '../api-presence';

/** Said by every web process while it serves the runner API. */
export async function recordPresence(now = new Date()): Promise<void> {
  await lookUp(Prisma.sql`
    insert into process_heartbeat (name, continuous_since, last_at) values (${RUNNER_API}, ${now}::timestamptz, ${now}::timestamptz)
    on conflict (name) do update set last_at = excluded.last_at,
      continuous_since = case when excluded.last_at - process_heartbeat.last_at > make_interval(secs => ${PRESENCE_GAP_SECONDS})
        then excluded.last_at else process_heartbeat.continuous_since end`);
}
