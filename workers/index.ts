import { sealStoredUrls } from '@/lib/deliveries/endpoints/manage-endpoints';
import { subscribeDeliveries } from '@/lib/deliveries/subscriptions';
import { subscribeEngine } from '@/lib/engine/subscriptions';
import { refreshDemo } from '@/lib/fleet/demo-organization';
import { subscribeIncidents } from '@/lib/incidents/subscriptions';
import { subscribePaging } from '@/lib/paging/advance-paging';
import { disconnectClients } from '@/lib/platform/db/clients';
import { exitWithoutTenantWalls } from '@/lib/platform/db/startup-check';
import { env } from '@/lib/platform/env';
import { startWorkerBeat } from '@/lib/platform/health';
import type { MetricsServer } from '@/lib/platform/http/metrics-server';
import { logger } from '@/lib/platform/logger';
import { createWorker } from '@/lib/platform/queue/backend';
import {
  CONTROL_QUEUE,
  closeQueues,
  controlBackend,
  controlQueue,
  DELIVERY_QUEUE,
} from '@/lib/platform/queue/enqueue';
import { restoreLostSchedules } from '@/lib/projects/schedules/lost-rows';
import { serveMetrics } from '@/lib/telemetry/metrics/scrape';
import { flushTelemetry } from '@/lib/telemetry/open-telemetry';
import { startTelemetry } from '@/lib/telemetry/start';
import { startWatch } from '@/lib/watchdog/watch';
import { RUNNER_LOGIN, rolePassword } from '@/scripts/bootstrap/database-urls.mjs';
import { exitWhenParentGone } from '@/scripts/bootstrap/lifeline.mjs';
import { keepRedisRunnerLogin } from '@/scripts/bootstrap/redis-runner-login.mjs';
import { runJob } from './registry';
import { keepSchedules, startSchedules } from './schedules';

/** Jobs wait for the database, so more run than there are cores. */
const CONCURRENCY = 8;
/** Messages wait for their receivers, for seconds when one hangs. */
const SENDING_CONCURRENCY = 50;

async function main(): Promise<void> {
  exitWhenParentGone();
  startTelemetry('worker');
  subscribeEngine();
  // Before deliveries, which asks whether a chain is about an incident.
  subscribeIncidents();
  subscribeDeliveries();
  subscribePaging();
  await exitWithoutTenantWalls();
  const endRunnerLogin = keepRunnerLogin();
  // First: a job of an earlier version under another name would find no handler.
  await startSchedules(controlQueue());
  await restoreLostSchedules();
  const endSchedules = keepSchedules(controlQueue());
  const workers = [
    startWorker(CONTROL_QUEUE, CONCURRENCY),
    startWorker(DELIVERY_QUEUE, SENDING_CONCURRENCY),
  ];
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  const endBeat = startWorkerBeat();
  const endWatch = startWatch('worker');
  const metricsServer = await serveOwnMetrics();
  await refreshDemo();
  await sealStoredUrls();

  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    endBeat();
    endWatch();
    endSchedules();
    endRunnerLogin();
    await metricsServer?.close();
    await Promise.all(workers.map((worker) => worker.close()));
    await flushTelemetry();
    await closeQueues();
    await disconnectClients();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  logger.info('worker ready');
}

/** A port that is taken costs the metrics of this worker, not its work. */
async function serveOwnMetrics(): Promise<MetricsServer | null> {
  const { host, port } = env().metrics;
  if (port === 0) return null;
  try {
    return await serveMetrics(host, port);
  } catch (error) {
    logger.error(
      { host, port, error: String(error) },
      'metrics of this worker are not served: change TIERWATCH_METRICS_HOST or TIERWATCH_METRICS_PORT and restart it',
    );
    return null;
  }
}

/** On PostgreSQL, migrations have made it. */
function keepRunnerLogin(): () => void {
  const { redisUrl, secretKey, runnerQueuePassword } = env();
  if (!redisUrl) return () => {};
  const password = rolePassword(secretKey, RUNNER_LOGIN, {
    TIERWATCH_RUNNER_QUEUE_PASSWORD: runnerQueuePassword,
  });
  return keepRedisRunnerLogin(redisUrl, password, (error) =>
    logger.warn({ error: String(error) }, 'runner login on Redis not created'),
  );
}

function startWorker(queue: string, concurrency: number) {
  const worker = createWorker(
    controlBackend(),
    'control',
    queue,
    (job) => runJob(job.name, job.data),
    concurrency,
  );
  worker.on('error', (error) => logger.warn({ error: String(error) }, 'queue error'));
  worker.on('failed', (job, error) =>
    logger.error(
      { job: job?.name, data: job?.data, error: error.stack ?? String(error) },
      'job failed',
    ),
  );
  return worker;
}

main().catch((error: unknown) => {
  logger.fatal(
    { error: error instanceof Error ? error.stack : String(error) },
    'worker start failed',
  );
  process.exit(1);
});
