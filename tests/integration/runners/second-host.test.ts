/** Two hosts with one runner key, through the routes that real runners call. */

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { claim } from '@/app/api/runner/v1/attempt-routes';
import { heartbeat, me, nextAttempt } from '@/app/api/runner/v1/host-routes';
import type { RouteHandler } from '@/lib/api/route';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { startChain } from '@/lib/engine/chains/start-chain';
import { getRunner } from '@/lib/fleet/manage-runners';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { INSTANCE_HEADER, PROCESS_HEADER } from '@/lib/protocol/schema';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();
let cast: Cast;
const hostOf = (instanceId = randomUUID()) => ({ instanceId, processId: randomUUID() });
type Host = ReturnType<typeof hostOf>;

beforeEach(async () => {
  cast = await makeCast();
});

async function ask(
  handler: RouteHandler,
  host: Host | null,
  body?: unknown,
  params: Record<string, string> = {},
): Promise<{ status: number; code?: string }> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${cast.runnerKey}`,
    'content-type': 'application/json',
  };
  if (host) {
    headers[PROCESS_HEADER] = host.processId;
    headers[INSTANCE_HEADER] = host.instanceId;
  }
  const request = new Request('http://127.0.0.1/api/runner/v1/x', {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await handler(request, { params: Promise.resolve(params) });
  const answer = response.status === 204 ? {} : await response.json();
  return { status: response.status, ...(answer.code ? { code: answer.code } : {}) };
}

const beat = (host: Host | null) =>
  ask(heartbeat, host, { protocol: 1, posture: TEST_CAPABILITIES, running: [] });

const REFUSED = { status: 409, code: 'key_in_use' };

/** The holder has been silent for as long as a key is held. */
async function holderIsGone(): Promise<void> {
  await inTransaction(cast.alice, (db) =>
    db.runner.updateMany({ data: { keyHeldUntil: new Date(Date.now() - 1) } }),
  );
}

describe('[SEC-2.3] a second host with a runner’s key', () => {
  it('is refused at every request, and neither door gives it work', async () => {
    const [first, second] = [hostOf(), hostOf()];
    expect(await beat(first)).toEqual({ status: 200 });
    const { attemptId } = await startChain(cast.alice, {
      projectId: cast.projectId,
      trigger: 'manual',
    }).then(() =>
      inTransaction(cast.alice, async (db) => {
        const attempt = await db.attempt.findFirstOrThrow({});
        return { attemptId: attempt.id };
      }),
    );
    expect(await beat(second)).toEqual(REFUSED);
    expect(await ask(me, second)).toEqual(REFUSED);
    expect(await ask(nextAttempt, second)).toEqual(REFUSED);
    // From the queue it may have the attempt's id.
    const body = { processId: second.processId };
    expect(await ask(claim, second, body, { attemptId })).toEqual(REFUSED);
    expect(await ask(claim, null, {}, { attemptId })).toEqual(REFUSED);
    const own = { processId: first.processId };
    expect((await ask(claim, first, own, { attemptId })).status).toBe(200);
    expect(await ask(claim, second, body, { attemptId })).toEqual(REFUSED);
  });

  it('is reported once: on the runner, in the audit log and to subscribers', async () => {
    await createEndpoint(cast.alice, {
      url: 'https://receiver.example/hook',
      description: '',
      eventTypes: ['runner.key_shared'],
      projectId: null,
    });
    const [first, second] = [hostOf(), hostOf()];
    await beat(first);
    for (const _ of [1, 2, 3]) expect(await beat(second)).toEqual(REFUSED);
    const runner = await getRunner(cast.alice, encodeId('rnr', cast.runner.actor.id));
    expect(runner.problems.map(({ code }) => code)).toContain('key_shared');
    const { entries, deliveries } = await inTransaction(cast.alice, async (db) => ({
      entries: await db.auditLog.findMany({ where: { action: 'runner.second_host_refused' } }),
      deliveries: await db.webhookDelivery.findMany({ where: { eventType: 'runner.key_shared' } }),
    }));
    expect(entries).toHaveLength(1);
    expect(deliveries).toHaveLength(1);
  });

  it('takes over once the first is gone, and the first is refused then', async () => {
    const [first, second] = [hostOf(), hostOf()];
    await beat(first);
    await holderIsGone();
    expect(await beat(second)).toEqual({ status: 200 });
    expect(await beat(first)).toEqual(REFUSED);
    expect(await ask(nextAttempt, first)).toEqual(REFUSED);
  });

  it('is not a restart of the first: that takes over at once', async () => {
    const first = hostOf();
    await beat(first);
    const restarted = hostOf(first.instanceId);
    expect(await beat(restarted)).toEqual({ status: 200 });
    expect(await ask(me, restarted)).toEqual({ status: 200 });
  });

  it('with a copy of its folder is refused as soon as the first makes a request', async () => {
    const first = hostOf();
    await beat(first);
    const copy = hostOf(first.instanceId);
    expect(await beat(copy)).toEqual({ status: 200 });
    expect(await beat(first)).toEqual({ status: 200 });
    expect(await beat(copy)).toEqual(REFUSED);
    expect(await beat(first)).toEqual({ status: 200 });
    await holderIsGone();
    expect(await beat(copy)).toEqual({ status: 200 });
  });

  it('that asks in the same moment as the first: one of them gets the key', async () => {
    const hosts = [hostOf(), hostOf(), hostOf()];
    const answers = await Promise.all(hosts.map(beat));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});
