import pg from 'pg';
import { LEASE_SECONDS } from '@/lib/runner-protocol/schema';
import { environmentOf } from '../../bootstrap/started-system';
import type { System } from '../../support/system/system';

/**
 * Makes it so late for the database that every lease is over, although the runner API has
 * answered all the while. The worker's own watch has to notice.
 */
export async function letLeasesExpire(superuserUrl: string, system: System): Promise<void> {
  const url = new URL(superuserUrl);
  const { TIERWATCH_APP_DATABASE_URL = '' } = environmentOf(system.worker.pid());
  url.pathname = new URL(TIERWATCH_APP_DATABASE_URL).pathname;
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  try {
    const passed = `interval '${2 * LEASE_SECONDS} seconds'`;
    await client.query(
      `update attempt set lease_expires_at = lease_expires_at - ${passed}
       where status in ('claimed', 'running', 'stopping')`,
    );
    await client.query(
      `update process_heartbeat set continuous_since = continuous_since - ${passed}`,
    );
  } finally {
    await client.end();
  }
}
