/** One process at a time, for containers and tools: `node scripts/serve.mjs <part>`. */
import path from 'node:path';
import { readAddress } from './bootstrap/address.mjs';
import { holdDataFolder } from './bootstrap/data-folder.mjs';
import { prepareDatabase } from './bootstrap/database.mjs';
import {
  RUNNER_LOGIN,
  requireUsableUrl,
  rolePassword,
  roleUrls,
} from './bootstrap/database-urls.mjs';
import { processEnvironments } from './bootstrap/environment.mjs';
import { dataFolder } from './bootstrap/folders.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { runInForeground } from './bootstrap/one-process.mjs';
import { startCluster } from './bootstrap/postgres/cluster.mjs';
import { ensureClient } from './bootstrap/prisma.mjs';
import { runMain, StartProblem } from './bootstrap/problem.mjs';
import { ensurePrograms, RUNNER_PROGRAMS } from './bootstrap/programs.mjs';
import { ensureRedisRunnerLogin } from './bootstrap/redis-runner-login.mjs';
import { runnerFolder } from './bootstrap/runner-folder.mjs';
import { readSecrets } from './bootstrap/secret-files.mjs';
import { readOrMakeSecretKey } from './bootstrap/secret-key.mjs';
import { serviceSpecs } from './bootstrap/services.mjs';
import { prepareShutdown } from './bootstrap/shutdown.mjs';

/** Keeps the embedded PostgreSQL of the data folder running and prints the owner's address. */
async function servePostgres() {
  const shutdown = prepareShutdown();
  const folder = holdDataFolder(dataFolder());
  shutdown.add(folder.release);
  try {
    const cluster = await startCluster(folder);
    shutdown.add(() => cluster.stop());
    process.stdout.write(`${cluster.ownerUrl}\n`);
    await cluster.ended();
    if (shutdown.isClosing()) return;
    throw new StartProblem(
      `PostgreSQL exited unexpectedly. The end of its log is in ${path.join(folder.path, 'logs', 'postgres.log')}. Start it again.`,
    );
  } catch (error) {
    await shutdown.close();
    throw error;
  }
}

/**
 * Migrates the database of DATABASE_URL, or the embedded one, and gives the logins their passwords,
 * on Redis too.
 */
async function serveMigrate(env) {
  await ensureClient();
  const secretKey = readOrMakeSecretKey(dataFolder(), env);
  if (env.DATABASE_URL) {
    await prepareDatabase(env.DATABASE_URL, secretKey, env);
    await prepareRedis(secretKey, env);
    return;
  }
  const folder = holdDataFolder(dataFolder());
  const cluster = await startCluster(folder);
  try {
    await prepareDatabase(cluster.ownerUrl, secretKey, env);
  } finally {
    await cluster.stop();
    folder.release();
  }
  await prepareRedis(secretKey, env);
}

/** Gives the runners their login on Redis. The worker repeats it whenever Redis comes back. */
async function prepareRedis(secretKey, env) {
  if (!env.REDIS_URL) return;
  const { host } = new URL(env.REDIS_URL);
  const password = rolePassword(secretKey, RUNNER_LOGIN, env);
  try {
    const isMade = await ensureRedisRunnerLogin(env.REDIS_URL, password);
    if (isMade) return;
    process.stderr.write(
      `The login of REDIS_URL may not create logins on ${host}, so runners can’t use the queue there. They ask for work over HTTPS.\n`,
    );
  } catch (error) {
    process.stderr.write(
      `Redis at ${host} (REDIS_URL) can’t be used: ${error.message} The database is migrated. The worker creates the runners’ login once Redis answers.\n`,
    );
  }
}

function findUrls(env, secretKey) {
  const { TIERWATCH_APP_DATABASE_URL: appUrl, TIERWATCH_SYSTEM_DATABASE_URL: systemUrl } = env;
  if (appUrl && systemUrl) return roleUrls(null, secretKey, env);
  if (env.DATABASE_URL) {
    requireUsableUrl('DATABASE_URL', env.DATABASE_URL);
    return roleUrls(env.DATABASE_URL, secretKey, env);
  }
  throw new StartProblem(
    'No database is configured. Set TIERWATCH_APP_DATABASE_URL and TIERWATCH_SYSTEM_DATABASE_URL (or DATABASE_URL and TIERWATCH_SECRET_KEY, from which they are made).',
  );
}

/** What each part runs from `dist`. */
const PROGRAMS_OF = {
  web: ['runner-file'],
  worker: ['worker'],
  runner: RUNNER_PROGRAMS,
  'demo-service': ['demo-service'],
};

async function servePart(part, env) {
  await ensurePrograms(PROGRAMS_OF[part]);
  const isControl = part === 'web' || part === 'worker';
  const secretKey = isControl ? readOrMakeSecretKey(dataFolder(), env) : '';
  const address = readAddress(env);
  const facts = {
    dataDir: dataFolder(),
    runnerDir: runnerFolder(dataFolder(), env),
    ...address,
    secretKey,
    appUrl: '',
    systemUrl: '',
    ...(isControl ? findUrls(env, secretKey) : {}),
    runnerQueueUrl: env.TIERWATCH_RUNNER_QUEUE_URL || env.REDIS_URL || null,
  };
  const specs = serviceSpecs(processEnvironments(env, facts), facts);
  await runInForeground(specs.find((spec) => spec.part === part));
}

const parts = {
  web: (env) => servePart('web', env),
  worker: (env) => servePart('worker', env),
  runner: (env) => servePart('runner', env),
  'demo-service': (env) => servePart('demo-service', env),
  migrate: serveMigrate,
  postgres: servePostgres,
};

await runMain(async () => {
  requireNode();
  const [name] = process.argv.slice(2);
  if (!name || !Object.hasOwn(parts, name)) {
    throw new StartProblem(`Usage: node scripts/serve.mjs ${Object.keys(parts).join('|')}`);
  }
  await parts[name](readSecrets(process.env));
});
