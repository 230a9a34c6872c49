/** The whole product with its queues on Redis, which is killed, emptied, and away at a start. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChainDetail, chainDetailSchema } from '@/lib/insight/chains/schema';
import { addProjects, type ChaosProject } from '@/scripts/chaos/load';
import { findRedis, type Product, startProduct } from '@/scripts/chaos/product';
import { eventually } from '../bootstrap/eventually';

const PATIENCE_MS = 120_000;
/** Two starts of the whole product. */
const STARTS_MS = 600_000;

describe.runIf(findRedis())('[FLT-3.4] the product on Redis', () => {
  let dir = '';
  let product: Product;
  let projects: ChaosProject[] = [];

  beforeAll(async () => {
    dir = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-redis-away-'));
    product = await startProduct(dir, 4, { isOnRedis: true });
    const deadline = Date.now() + 20 * 60_000;
    projects = await addProjects(product.url, product.token, 3, () => deadline);
  }, STARTS_MS);
  afterAll(async () => {
    await product?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  const start = async (project: ChaosProject | undefined): Promise<ChainDetail> => {
    const response = await fetch(`${product.url}/api/v1/projects/${project?.slug}/chains`, {
      method: 'POST',
      headers: { authorization: `Bearer ${product.token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status, await response.clone().text()).toBe(201);
    return chainDetailSchema.parse(await response.json());
  };
  const read = (id: string) => projects[0]?.client.get(`chains/${id}`, chainDetailSchema);
  const ended = (id: string) =>
    eventually(
      `chain ${id} ends`,
      async () => {
        const chain = await read(id);
        return chain?.status === 'ended' ? chain : undefined;
      },
      PATIENCE_MS,
    );
  const untilQueueIs = (isUp: boolean) =>
    eventually(
      `the queue is ${isUp ? 'up' : 'away'}`,
      async () => {
        const { parts } = await (await fetch(`${product.url}/readyz`)).json();
        return parts.queue === isUp;
      },
      PATIENCE_MS,
    );
  /** Each tier ended with its result. */
  const expectWhole = (chain: ChainDetail | undefined) => {
    const statuses = chain?.sessions.map(({ status }) => status) ?? [];
    expect(statuses.length).toBeGreaterThan(1);
    expect(statuses.at(-1)).toBe('completed');
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set(['escalated']));
  };

  it('ends the running chain and the one that was started while Redis was killed', async () => {
    const running = await start(projects[0]);
    await eventually('its first tier runs', async () => {
      const [session] = (await read(running.id))?.sessions ?? [];
      return session?.status === 'running';
    });
    await product.killRedis();
    // All of these are answered while Redis is away; none waits for it.
    await untilQueueIs(false);
    const late = await start(projects[1]);
    expect((await read(late.id))?.status).not.toBe('ended');
    expect((await fetch(`${product.url}/sign-in`)).status).toBe(200);
    await product.bringRedisBack();
    expectWhole(await ended(running.id));
    expectWhole(await ended(late.id));
    await untilQueueIs(true);
  });

  it('ends the running chain and the next one although Redis was emptied meanwhile', async () => {
    const running = await start(projects[0]);
    const redis = new Redis(product.redisUrl());
    await redis.flushall();
    redis.disconnect();
    const next = await start(projects[1]);
    expectWhole(await ended(running.id));
    expectWhole(await ended(next.id));
  });

  it('starts without Redis, says so, and runs what was asked for once Redis is there', async () => {
    await product.stopOnce();
    await product.killRedis();
    await product.startAgain();
    expect(product.console()).toContain('Tierwatch starts anyway. No chain runs until Redis');
    const early = await start(projects[2]);
    await untilQueueIs(false);
    await product.bringRedisBack();
    expectWhole(await ended(early.id));
    await untilQueueIs(true);
  });
});
