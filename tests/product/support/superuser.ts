import pg from 'pg';
import { environmentOf } from '../../bootstrap/started-system';
import { testCluster } from '../../support/database';
import type { System } from '../../support/system/system';

/** The system's database as nobody of the product sees it: for what no way through the product does. */
export async function asSuperuser<Result>(
  system: System,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const url = new URL(testCluster().superuserUrl);
  const { TIERWATCH_APP_DATABASE_URL = '' } = environmentOf(system.worker.pid());
  url.pathname = new URL(TIERWATCH_APP_DATABASE_URL).pathname;
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
