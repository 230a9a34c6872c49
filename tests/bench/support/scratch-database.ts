/** An embedded database of its own, migrated, with this process's environment set to it. */
import pg from 'pg';
import { holdDataFolder } from '@/scripts/bootstrap/data-folder.mjs';
import { prepareDatabase } from '@/scripts/bootstrap/database.mjs';
import { startCluster } from '@/scripts/bootstrap/postgres/cluster.mjs';
import { readOrMakeSecretKey } from '@/scripts/bootstrap/secret-key.mjs';
import { withScratchFolder } from './scratch-folder';

/**
 * Runs `work` with a login that row-level security does not bind, for seeding and counting; the
 * product's own code uses its own logins. `isThrowaway` writes without waiting for the disk.
 */
export async function withScratchDatabase(
  { isThrowaway }: { isThrowaway: boolean },
  work: (superuser: pg.Client) => Promise<void>,
): Promise<void> {
  await withScratchFolder(async (dir) => {
    const folder = holdDataFolder(dir);
    const cluster = await startCluster(folder, { isThrowaway });
    try {
      const secretKey = readOrMakeSecretKey(dir, {});
      const { urls } = await prepareDatabase(cluster.ownerUrl, secretKey, {});
      Object.assign(process.env, {
        TIERWATCH_APP_DATABASE_URL: urls.appUrl,
        TIERWATCH_SYSTEM_DATABASE_URL: urls.systemUrl,
        TIERWATCH_SECRET_KEY: secretKey,
      });
      // A program may measure two databases, and the first one's addresses were read once.
      Reflect.deleteProperty(globalThis, 'tierwatchEnv');
      await runWith(cluster.superuserUrl, new URL(cluster.ownerUrl).pathname, work);
    } finally {
      await cluster.stop();
      folder.release();
    }
  });
}

async function runWith(
  superuserUrl: string,
  database: string,
  work: (superuser: pg.Client) => Promise<void>,
): Promise<void> {
  const url = new URL(superuserUrl);
  url.pathname = database;
  const superuser = new pg.Client({ connectionString: url.toString() });
  await superuser.connect();
  try {
    await work(superuser);
  } finally {
    await superuser.end();
    // Loaded now, since they read the environment.
    const { closeQueues } = await import('@/lib/platform/queue/enqueue');
    const { disconnectClients } = await import('@/lib/platform/db/clients');
    await closeQueues();
    await disconnectClients();
  }
}
