import { LEASE_SECONDS } from '@/lib/protocol/schema';
import type { System } from '../../support/system/system';
import { asSuperuser } from './superuser';

/**
 * Makes it so late for the database that every lease is over, although the runner API has
 * answered all the while. The worker's own watch has to notice.
 */
export async function letLeasesExpire(system: System): Promise<void> {
  const passed = `interval '${2 * LEASE_SECONDS} seconds'`;
  await asSuperuser(system, async (client) => {
    await client.query(
      `update attempt set lease_expires_at = lease_expires_at - ${passed}
       where status in ('claimed', 'running', 'stopping')`,
    );
    await client.query(
      `update process_heartbeat set continuous_since = continuous_since - ${passed}`,
    );
  });
}
