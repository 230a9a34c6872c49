/** How a runner shares its time among its checks, against servers that don't answer. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createCheckPlan } from '@/workers/runner/checks/check-plan';
import { networkReference } from '@/workers/runner/checks/network-reference';

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const end of cleanUp.splice(0)) end();
});

/** A server that holds its answers until it is released. */
async function startHoldingServer() {
  const held: ServerResponse[] = [];
  const requests: string[] = [];
  let isReleased = false;
  const server = createServer(({ url }, response) => {
    requests.push(url ?? '');
    if (isReleased) response.end('ok');
    else held.push(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    release() {
      isReleased = true;
      for (const response of held) response.end('ok');
    },
  };
}

/** A check's id ends in the digits that place its first run. */
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(6, '0')}000000`;

it('[INC-1.1] a check that waits for its turn runs once, however long it has waited', async () => {
  const server = await startHoldingServer();
  const checks = Array.from({ length: 40 }, (_, number) => ({
    ...{ checkId: idOf(number), service: 'web', everySeconds: 1 },
    check: { type: 'http', target: `${server.url}/${number}`, timeoutSeconds: 60 },
  }));
  const plan = createCheckPlan({
    url: server.url,
    controlPlane: {
      checkPlan: async () => ({
        digest: 'one',
        projects: [{ projectId: idOf(0), epoch: 1, checks }],
      }),
      sendCheckResults: async () => ({ refused: [] }),
    },
  });
  cleanUp.push(plan.close);
  plan.follow('one');
  // As many as run at once are held; the other half waits through five of its turns.
  await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBe(20);
  await sleep(5_000);
  const before = server.requests.length;
  const releasedAt = performance.now();
  server.release();
  const counts = () => {
    const answered = server.requests.slice(before);
    return answered.reduce(
      (sum, url) => sum.set(url, (sum.get(url) ?? 0) + 1),
      new Map<string, number>(),
    );
  };
  await expect.poll(() => counts().size, { timeout: 60_000 }).toBe(40);
  await sleep(500);
  const turns = Math.ceil((performance.now() - releasedAt) / 1_000);
  expect(Math.max(...counts().values())).toBeLessThanOrEqual(1 + turns);
});

it('[INC-1.1] a control plane that refuses connections proves the network, an unknown host doesn’t', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await networkReference(`http://127.0.0.1:${port}`).isReachable()).toBe(true);
  server.close();
  await once(server, 'close');
  expect(await networkReference(`http://127.0.0.1:${port}`).isReachable()).toBe(true);
  expect(await networkReference('https://tierwatch.invalid').isReachable()).toBe(false);
});
