/** The program behind `npm run chaos`; `scripts/chaos.mjs` prepares what it needs. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startWebhookReceiver } from '@/tests/support/webhook-receiver/receiver';
import { readAgents } from './agent';
import { patientClient } from './client';
import { collectChains, readWebhooks } from './collect';
import { inject } from './inject';
import { judge, lostWebhooks } from './judge';
import { addEndpoint, addProjects, runChains } from './load';
import { type ChaosOptions, parseOptions } from './options.mjs';
import { type Plan, planFaults, type Target } from './plan';
import { findRedis, type Product, startProduct, waitUntil } from './product';
import type { FaultRecord, Records } from './records';
import { toTable } from './table';

/** For the first chain of each project to start. */
const STARTED_WITHIN_MS = 3 * 60_000;
/** For chains to end after the last fault. */
const SETTLE_MS = 8 * 60_000;
/** What a worker was sending when it was killed is sent again by a sweep. */
const WEBHOOKS_WITHIN_MS = 6 * 60_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function injectAll(
  product: Product,
  { faults, redisFrom }: Plan,
  isTimeUp: () => boolean,
): Promise<FaultRecord[]> {
  const records: FaultRecord[] = [];
  for (const fault of faults) {
    if (isTimeUp()) break;
    if (fault.number === redisFrom) {
      say('  the queues move to Redis');
      await product.moveToRedis();
    }
    const record = await inject(product, fault);
    records.push(record);
    say(`  ${record.number} of ${faults.length}: ${record.target}${outcomeOf(record)}`);
  }
  return records;
}

function outcomeOf({ recoveredMs, problem }: FaultRecord): string {
  if (problem !== null) return `, ${problem}`;
  return recoveredMs === null ? '' : `, back after ${(recoveredMs / 1_000).toFixed(1)} s`;
}

/** Runs chains on a started product, kills it again and again, and records everything. */
async function record(
  product: Product,
  dir: string,
  plan: Plan,
  { minutes, projects: count }: ChaosOptions,
) {
  const receiver = await startWebhookReceiver();
  // Each phase has its own time; requests of a phase are given up at its end.
  let phaseEndsAt = Date.now() + minutes * 60_000;
  const givesUpAt = () => phaseEndsAt + SETTLE_MS;
  try {
    const projects = await addProjects(product.url, product.token, count, givesUpAt);
    await addEndpoint(patientClient(product.url, product.token, givesUpAt), receiver.url);

    let isOver = false;
    const load = Promise.all(projects.map((project) => runChains(project, () => isOver)));
    // Awaited below, once the faults are over.
    load.catch(() => {});
    const haveStarted = () => projects.every(({ posts }) => posts[0]?.chainId);
    await waitUntil(haveStarted, STARTED_WITHIN_MS);
    const faults = await injectAll(product, plan, () => Date.now() > phaseEndsAt);
    isOver = true;
    phaseEndsAt = Date.now();
    await load;
    const leftovers = await product.leftAgents();

    phaseEndsAt = Date.now();
    const chains = (await Promise.all(projects.map(collectChains))).flat();
    const records = (): Records => ({
      planned: plan.faults.length,
      faults,
      posts: projects.flatMap(({ posts }) => posts),
      chains,
      agents: readAgents(dir),
      webhooks: readWebhooks(receiver.received),
      leftovers,
    });
    await waitUntil(() => lostWebhooks(records()).length === 0, WEBHOOKS_WITHIN_MS);
    return records();
  } finally {
    await receiver.close();
  }
}

async function run(dir: string, options: ChaosOptions): Promise<Records> {
  const hasRedis = findRedis() !== null;
  if (!hasRedis) say('There is no redis-server on the PATH, so Redis is not used.');
  const targets = (options.targets as Target[]).filter((name) => hasRedis || name !== 'redis');
  const plan = planFaults({ ...options, targets });
  const product = await startProduct(dir, options.projects);
  try {
    const records = await record(product, dir, plan, options);
    return { ...records, leftovers: [...records.leftovers, ...(await product.stop())] };
  } finally {
    await product.stop();
    writeFileSync(path.join(dir, 'console.log'), product.console());
  }
}

const options = parseOptions(process.argv.slice(2));
const dir = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-chaos-'));
// PostgreSQL's own account has to get through.
chmodSync(dir, 0o755);
say(`${options.kills} faults by seed ${options.seed}, ${options.projects} projects, in ${dir}`);
const records = await run(dir, options);
writeFileSync(path.join(dir, 'records.json'), JSON.stringify(records));
const verdict = judge(records);
say(`\n${toTable(verdict)}`);
if (verdict.isGood) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
else say(`Records, logs and data are in ${dir}`);
process.exitCode = verdict.isGood ? 0 : 1;
