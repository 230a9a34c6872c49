import { existsSync } from 'node:fs';
import path from 'node:path';
import { ensureBuilt } from './build.mjs';
import { allOrStop } from './command.mjs';
import { prepareDatabase } from './database.mjs';
import { RUNNER_LOGIN, rolePassword } from './database-urls.mjs';
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
import { moveRunnerFolder, runnerFolder } from './runner-folder.mjs';
import { recordProcesses } from './running-processes.mjs';
import { readSecrets } from './secret-files.mjs';
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
  const password = rolePassword(secretKey, RUNNER_LOGIN, env);
  try {
    return await ensureRedisRunnerLogin(env.REDIS_URL, password);
  } catch (error) {
    const { host } = new URL(env.REDIS_URL);
    process.stderr.write(
      `Redis at ${host} (REDIS_URL) can’t be used: ${error.message} Tierwatch starts anyway. No chain runs until Redis can be used.\n`,
    );
    return runnerUrl(env.REDIS_URL, password);
  }
}

async function prepareFacts(folder, address, shutdown, env) {
  const secretKey = readOrMakeSecretKey(folder.path, env);
  const { urls, hasMigrated } = await step('Preparing the database', async () => {
    const ownerUrl = await openDatabase(folder, shutdown, env);
    return await prepareDatabase(ownerUrl, secretKey, env);
  });
  const runnerQueueUrl = await findRunnerQueueUrl(env, urls, secretKey);
  const runnerDir = runnerFolder(folder.path, env);
  moveRunnerFolder(folder.path, runnerDir);
  return {
    dataDir: folder.path,
    runnerDir,
    ...address,
    secretKey,
    ...urls,
    runnerQueueUrl,
    hasMigrated,
  };
}

/**
 * Starts the demo service, and makes the demo organization. Without a seed to write, the other
 * processes need not wait for the service.
 */
async function startDemo(demo, run, shutdown, environments, facts) {
  const started = run(demo);
  shutdown.add(started.stop);
  const runnerDir = path.resolve(checkout, environments.runner.TIERWATCH_RUNNER_DIR);
  const isSeeded = readDemoAccount(facts.dataDir) && existsSync(path.join(runnerDir, 'runner-key'));
  if (isSeeded && !facts.hasMigrated) return;
  await step('Preparing the demo', async () => {
    // The seed contains the addresses of the demo's services.
    await started.log.waitForLine('demo service ready', DEMO_READY_MS);
    await seedDemo(environments.worker, runnerDir);
  });
}

/** All that runs besides the pages: the database, the programs and the demo. */
async function prepare(folder, address, shutdown, { isVerbose, env: given }) {
  const env = readSecrets(given);
  const facts = await prepareFacts(folder, address, shutdown, env);
  await ensurePrograms();
  const environments = processEnvironments(env, facts);
  const [demo, ...services] = serviceSpecs(environments, facts);
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
  if (!shutdown.isClosing()) await startDemo(demo, run, shutdown, environments, facts);
  return { run, services, webLog: path.join(logs, 'web.log') };
}

/**
 * Brings up everything on one data folder and returns once the web address answers. The pages are
 * built, which is most of a first start, while everything else is prepared.
 * @param {{ path: string }} folder from holdDataFolder
 * @param {ReturnType<typeof import('./address.mjs').readAddress>} address
 * @param {ReturnType<typeof import('./shutdown.mjs').prepareShutdown>} shutdown
 */
export async function startSystem(folder, address, shutdown, { isVerbose, env = process.env }) {
  await ensureClient();
  const [{ run, services, webLog }] = await allOrStop([
    prepare(folder, address, shutdown, { isVerbose, env }),
    ensureBuilt(),
  ]);
  if (shutdown.isClosing()) return;
  await step('Starting', async () => {
    const [web, ...workers] = services.map(run);
    shutdown.add(web.stop);
    shutdown.add((isHurried) => Promise.all(workers.map(({ stop }) => stop(isHurried))));
    await waitUntilAnswering(`${address.localUrl}/healthz`, web.running, webLog);
  });
}
