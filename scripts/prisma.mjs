/** The Prisma CLI on the database of this checkout: `node scripts/prisma.mjs migrate dev --name …`. */
import { holdDataFolder } from './bootstrap/data-folder.mjs';
import { dataFolder } from './bootstrap/folders.mjs';
import { startCluster } from './bootstrap/postgres/cluster.mjs';
import { noteClient, runPrisma } from './bootstrap/prisma.mjs';
import { runMain } from './bootstrap/problem.mjs';

const OFFLINE = new Set(['generate', 'validate', 'format', 'version', '--version', '--help']);

await runMain(async () => {
  const args = process.argv.slice(2);
  if (process.env.DATABASE_URL || OFFLINE.has(args[0])) {
    await runPrisma(args, { databaseUrl: process.env.DATABASE_URL, isShown: true });
    if (args[0] === 'generate') noteClient();
    return;
  }
  const folder = holdDataFolder(dataFolder());
  const cluster = await startCluster(folder);
  try {
    const env = { ...process.env, TIERWATCH_SHADOW_ADMIN_URL: cluster.superuserUrl };
    await runPrisma(args, { databaseUrl: cluster.ownerUrl, isShown: true, env });
  } finally {
    await cluster.stop();
    folder.release();
  }
});
