/** The product under test: `npm start` on a new data folder, with the agent and a line that can be cut. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDemoAccount } from '@/scripts/bootstrap/demo-account.mjs';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { findProgram, startRedis } from '@/scripts/test/redis.mjs';
import { accountSchema, makeToken } from '@/tests/bench/support/product';
import {
  processesOf,
  runNpmStart,
  type StartedSystem,
  serverOf,
  untilStarted,
} from '@/tests/bootstrap/started-system';
import { type CuttableLine, openCuttableLine } from '@/tests/e2e/support/cuttable-line';
import { AGENT_COMMAND, writeAgent } from './agent';
import { PREPARED_DATA_VARIABLE } from './options.mjs';

const END_WITHIN_MS = 60_000;

export interface Product {
  url: string;
  dataDir: string;
  token: string;
  /** Between the runner and the web process. */
  line: CuttableLine;
  /** Starts it again after its supervisor was killed or asked to stop. */
  startAgain(): Promise<void>;
  /** Asks it to stop, and waits until it has. */
  stopOnce(): Promise<void>;
  /** Stops it, and starts it with the queues on Redis. */
  moveToRedis(): Promise<void>;
  /** Kills Redis, which keeps nothing. */
  killRedis(): Promise<void>;
  /** Starts a killed Redis again, on its port. */
  bringRedisBack(): Promise<void>;
  /** The address of Redis, while the queues are there. */
  redisUrl(): string;
  isReady(): Promise<boolean>;
  supervisorPid(): number | null;
  /** Names every process that outlives its attempt. Call it once no chain runs. */
  leftAgents(): Promise<string[]>;
  /** Stops everything. @returns what is left after that */
  stop(): Promise<string[]>;
  /** Everything that `npm start` has printed. */
  console(): string;
}

export const findRedis = (): string | null => findProgram('redis-server');

/** `dir`: a folder of its own. `isOnRedis`: the queues are there from the first start on. */
export async function startProduct(
  dir: string,
  slots: number,
  { isOnRedis = false } = {},
): Promise<Product> {
  const dataDir = path.join(dir, 'data');
  const prepared = process.env[PREPARED_DATA_VARIABLE];
  if (prepared) cpSync(prepared, dataDir, { recursive: true });
  else mkdirSync(dataDir);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const line = await openCuttableLine(url);
  const settings: Record<string, string> = {
    CLAUDE_BIN: await writeAgent(dir),
    TIERWATCH_URL: line.url,
    TIERWATCH_ALLOW_PRIVATE_TARGETS: 'true',
    TIERWATCH_RUNNER_CONCURRENCY: String(slots),
  };
  const starts: StartedSystem[] = [];
  const seen = new Set<number>();
  let redis: Awaited<ReturnType<typeof startRedis>> | null = null;

  const start = async () => {
    const started = await runNpmStart(dataDir, { port, more: settings });
    starts.push(started);
    await untilStarted(started);
    noteProcesses();
  };
  const launchRedis = async () => {
    const program = findRedis();
    if (!program) throw new Error('There is no redis-server on the PATH.');
    redis = await startRedis(program);
    settings.REDIS_URL = redis.url;
  };
  const stopRedis = async () => {
    await redis?.stop();
  };
  const usedRedis = () => {
    if (!redis) throw new Error('Redis is not used yet.');
    return redis;
  };
  const noteProcesses = () => {
    for (const { pid } of processesOf(dataDir)) seen.add(pid);
  };
  const stopOnce = async () => {
    starts.at(-1)?.child.kill('SIGTERM');
    await starts.at(-1)?.ended;
  };
  const end = async () => {
    noteProcesses();
    const last = starts.at(-1);
    last?.child.kill('SIGTERM');
    await waitUntil(() => remaining(dataDir, seen).length === 0, END_WITHIN_MS);
    return remaining(dataDir, seen);
  };

  const endAtOnce = async () => {
    await end();
    await stopRedis();
    process.exit(1);
  };
  process.once('SIGINT', endAtOnce);
  process.once('SIGTERM', endAtOnce);

  try {
    if (isOnRedis) await launchRedis();
    await start();
    const { organization } = accountSchema.parse(readDemoAccount(dataDir));
    return {
      url,
      dataDir,
      line,
      token: await makeToken(dataDir, organization),
      startAgain: start,
      stopOnce,
      async moveToRedis() {
        await launchRedis();
        await stopOnce();
        // What chains that were running have left is for this start to end.
        await start();
      },
      killRedis: () => usedRedis().stop('SIGKILL'),
      async bringRedisBack() {
        const { port: redisPort } = new URL(usedRedis().url);
        redis = await startRedis(findRedis() ?? '', { port: Number(redisPort) });
      },
      redisUrl: () => usedRedis().url,
      async isReady() {
        noteProcesses();
        const response = await fetch(`${url}/readyz`, {
          signal: AbortSignal.timeout(10_000),
        }).catch(() => null);
        await response?.body?.cancel();
        return response?.status === 200;
      },
      supervisorPid: () => holderOf(path.join(dataDir, 'in-use.lock')),
      async leftAgents() {
        const left = () =>
          processesOf(dataDir).filter(({ command }) => AGENT_COMMAND.test(command));
        await waitUntil(() => left().length === 0, END_WITHIN_MS);
        return left().map(({ pid, command }) => `${pid} ${command}, though no chain runs`);
      },
      async stop() {
        const left = await end();
        await line.close();
        await stopRedis();
        return left;
      },
      console: () => starts.map((started) => started.output()).join(''),
    };
  } catch (error) {
    await end();
    await line.close();
    await stopRedis();
    throw error;
  }
}

/** Polls. Returns once the condition holds or the time is over. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (await holds()) return true;
    await sleep(100);
  }
  return await holds();
}

function holderOf(lockFile: string): number | null {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).pid;
  } catch {
    return null;
  }
}

/** Processes that name the data folder, its PostgreSQL, and the guards of processes that were `seen`. */
function remaining(dataDir: string, seen: ReadonlySet<number>): string[] {
  const server = serverOf(dataDir);
  return [
    ...processesOf(dataDir).map(({ pid, command }) => `${pid} ${command}`),
    ...(server ? [`${server.pid} PostgreSQL`] : []),
    ...guards().flatMap(({ pid, guarded }) =>
      seen.has(guarded) ? [`${pid} the guard of ${guarded}`] : [],
    ),
  ];
}

function guards(): { pid: number; guarded: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      const at = args.indexOf('tierwatch-guard');
      return at === -1 ? [] : [{ pid: Number(name), guarded: Number(args[at + 1]) }];
    } catch {
      return [];
    }
  });
}
