/** Carries out one fault after the other, and measures how long the product takes to be back. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '@/scripts/bootstrap/process-identity.mjs';
import { findPart, processesOf, serverOf } from '@/tests/bootstrap/started-system';
import type { PlannedFault, Target } from './plan';
import { type Product, waitUntil } from './product';
import type { FaultRecord } from './records';

/** For a process to kill, which may be starting. */
const FIND_WITHIN_MS = 90_000;
/** A part that exits again and again is started after 30 s at the latest. */
const RECOVER_WITHIN_MS = 180_000;

/** @throws Error if two starts after a kill of the supervisor fail, since nothing runs then */
export async function inject(product: Product, fault: PlannedFault): Promise<FaultRecord> {
  const { number, target, waitsForRecovery } = fault;
  await sleep(fault.delayMs);
  const record = { number, target, recoveredMs: null, problem: null };
  if (target === 'partition') return await partition(product, fault);
  if (target === 'redis') {
    const at = Date.now();
    await product.killRedis();
    await product.bringRedisBack();
    return await recovered(product, { ...record, at }, waitsForRecovery, () => true);
  }
  let pid: number | null = null;
  await waitUntil(() => {
    pid = findTarget(product, target, fault.pick);
    return pid !== null;
  }, FIND_WITHIN_MS);
  const at = Date.now();
  if (pid === null) return { ...record, at, problem: 'there was nothing to kill for 90 s' };
  if (target === 'freeze') return await freeze(product, fault, pid);
  kill(pid, 'SIGKILL');
  if (target === 'supervisor') {
    await waitUntil(() => pid === null || !isAlive(pid), FIND_WITHIN_MS);
    const problem = await startAgain(product);
    if (problem) return { ...record, at, problem };
  }
  const isBack = () => {
    if (target === 'agent') return true;
    const now = findTarget(product, target, fault.pick);
    return now !== null && now !== pid;
  };
  return await recovered(product, { ...record, at }, waitsForRecovery, isBack);
}

/** Returns why the first start failed; null if it didn't. */
async function startAgain(product: Product): Promise<string | null> {
  try {
    await product.startAgain();
    return null;
  } catch (error) {
    await product.startAgain();
    return `the start failed: ${error instanceof Error ? error.message : error}`;
  }
}

async function recovered(
  product: Product,
  record: FaultRecord,
  waits: boolean,
  isBack: () => boolean,
): Promise<FaultRecord> {
  if (!waits) return record;
  const isReady = await waitUntil(
    async () => isBack() && (await product.isReady()),
    RECOVER_WITHIN_MS,
  );
  return isReady
    ? { ...record, recoveredMs: Date.now() - record.at }
    : { ...record, problem: `it wasn’t back after ${RECOVER_WITHIN_MS / 1_000} s` };
}

async function freeze(product: Product, fault: PlannedFault, pid: number): Promise<FaultRecord> {
  const at = Date.now();
  kill(pid, 'SIGSTOP');
  await sleep(fault.holdMs);
  kill(pid, 'SIGCONT');
  const record = { number: fault.number, target: fault.target, at, recoveredMs: null };
  return await recovered(product, { ...record, problem: null }, true, () => true);
}

async function partition(product: Product, fault: PlannedFault): Promise<FaultRecord> {
  const at = Date.now();
  await product.line.fail('hangs');
  await sleep(fault.holdMs);
  await product.line.repair();
  const record = { number: fault.number, target: fault.target, at, recoveredMs: null };
  return await recovered(product, { ...record, problem: null }, true, () => true);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

/** A process of the target that runs now; never 0, which would be this process's own group. */
function findTarget(product: Product, target: Target, pick: number): number | null {
  const { dataDir } = product;
  switch (target) {
    case 'web':
    case 'worker':
    case 'runner':
      return findPart(dataDir, target)?.pid ?? null;
    case 'freeze':
      return findPart(dataDir, 'runner')?.pid ?? null;
    case 'supervisor':
      return product.supervisorPid();
    case 'agent': {
      const agents = processesOf(dataDir).filter(({ command }) => /agent\.cjs/.test(command));
      return agents[Math.floor(pick * agents.length)]?.pid ?? null;
    }
    case 'postgresql':
      return serverProcess(dataDir, pick);
    default:
      return null;
  }
}

/** Mostly the server itself; otherwise one of its own processes, after which it recovers by itself. */
function serverProcess(dataDir: string, pick: number): number | null {
  const server = serverOf(dataDir);
  if (!server || pick < 0.7) return server?.pid ?? null;
  try {
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8');
    const pids = children.trim().split(' ').filter(Boolean).map(Number);
    return pids[Math.floor(((pick - 0.7) / 0.3) * pids.length)] ?? server.pid;
  } catch {
    return null;
  }
}
