import { existsSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { prepareDatabase } from './database.mjs';
import { readDemoAccount, seedDemo } from './demo-account.mjs';
import { processEnvironments } from './environment.mjs';
import { checkout } from './folders.mjs';
import { startCluster } from './postgres/cluster.mjs';
import { ensureClient } from './prisma.mjs';
import { openProcessLog } from './process-log.mjs';
import { keepRunning } from './processes.mjs';
import { ensurePrograms } from './programs.mjs';
import { waitUntilAnswering } from './ready.mjs';
import { ensureRedisRunnerLogin, runnerUrl } from './redis-runner-login.mjs';
import { recordProcesses } from './running-processes.mjs';
import { readOrMakeSecretKey } from './secret-key.mjs';
import { serviceSpecs } from './services.mjs';
import { step } from './steps.mjs';

const DEMO_READY_MS = 30_000;

async function openDatabase(folder, shutdown, env) {
  if (env.DATABASE_URL) return env.DATABASE_URL;
  const cluster = await startCluster(folder);
  shutdown.add(() => cluster.stop());
  cluster.keepRunning((text) => process.stderr.write(`postgres| ${text}\n`));
  return cluster.ownerUrl;
}

async function findRunnerQueueUrl(env, urls, secretKey) {
  if (env.TIERWATCH_RUNNER_QUEUE_URL || !env.REDIS_URL) return urls.runnerUrl;
  try {
    return await ensureRedisRunnerLogin(env.REDIS_URL, secretKey);
  } catch (error) {
    const { host } = new URL(env.REDIS_URL);
    process.stderr.write(
      `Redis at ${host} (REDIS_URL) can’t be used: ${error.message} Tierwatch starts anyway. No chain runs until Redis can be used.\n`,
    );
    return runnerUrl(env.REDIS_URL, secretKey);
  }
}

async function prepareFacts(folder, address, shutdown, env) {
  await ensureClient();
  const secretKey = readOrMakeSecretKey(folder.path, env);
  const { urls, hasMigrated } = await step('Preparing the database', async () => {
    const ownerUrl = await openDatabase(folder, shutdown, env);
    return await prepareDatabase(ownerUrl, secretKey, env);
  });
  const runnerQueueUrl = await findRunnerQueueUrl(env, urls, secretKey);
  return { dataDir: folder.path, ...address, secretKey, ...urls, runnerQueueUrl, hasMigrated };
}

/**
 * Brings up everything on one data folder and returns once the web address answers.
 * @param {{ path: string }} folder from holdDataFolder
 * @param {ReturnType<typeof import('./address.mjs').readAddress>} address
 * @param {ReturnType<typeof import('./shutdown.mjs').prepareShutdown>} shutdown
 */
export async function startSystem(folder, address, shutdown, { isVerbose, env = process.env }) {
  const facts = await prepareFacts(folder, address, shutdown, env);
  await ensurePrograms();
  await ensureBuilt();

  const environments = processEnvironments(env, facts);
  const [demo, ...rest] = serviceSpecs(environments, facts);
  const logs = path.join(folder.path, 'logs');
  const processes = recordProcesses(folder.path);
  const run = (spec) => {
    const log = openProcessLog(logs, spec.name, { isVerbose });
    const running = keepRunning(spec, log, processes);
    const stop = async (isHurried) => {
      await running.stop(isHurried);
      await log.close();
    };
    return { running, log, stop };
  };

  await step('Starting', async () => {
    // The seed writes the addresses of the demo's services down, so they come first.
    const started = run(demo);
    shutdown.add(started.stop);
    await started.log.waitForLine('demo service ready', DEMO_READY_MS);
    const runnerDir = path.resolve(checkout, environments.runner.TIERWATCH_RUNNER_DIR);
    const isSeeded = readDemoAccount(folder.path) && existsSync(path.join(runnerDir, 'runner-key'));
    if (facts.hasMigrated || !isSeeded) await seedDemo(environments.worker, runnerDir);
    if (shutdown.isClosing()) return;
    const [web, ...workers] = rest.map(run);
    shutdown.add(web.stop);
    shutdown.add((isHurried) => Promise.all(workers.map(({ stop }) => stop(isHurried))));
    await waitUntilAnswering(
      `${address.localUrl}/healthz`,
      web.running,
      path.join(logs, 'web.log'),
    );
  });
}
