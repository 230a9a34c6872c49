/** How a runner runs its checks and reports them, against servers and a control plane that misbehave. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import type { CheckResultsRequest, PlannedCheck, PlanResult } from '@/lib/protocol/monitoring';
import { createCheckPlan } from '@/workers/runner/checks/check-plan';
import { networkReference } from '@/workers/runner/checks/network-reference';
import { ControlPlaneError } from '@/workers/runner/control-plane/failure';

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

type Answer = { refused: string[]; notStored: string[] };

/**
 * Runs checks, one project for each list.
 *
 * @param options.answer of the control plane to results; it stores them all if absent
 * @returns the results that were stored, in the order in which they arrived
 */
function startPlan(
  projects: PlannedCheck[][],
  options: { url?: string; answer?(request: CheckResultsRequest): Answer } = {},
): PlanResult[] {
  const stored: PlanResult[] = [];
  const plan = createCheckPlan({
    url: options.url ?? 'http://127.0.0.1:9',
    processId: randomUUID(),
    commands: { of: () => async () => ({ refusal: 'none may run here.' }) },
    controlPlane: {
      checkPlan: async () => ({
        digest: 'one',
        projects: projects.map((checks, at) => ({ projectId: idOf(900 + at), epoch: 1, checks })),
      }),
      async sendCheckResults(request) {
        const answer = options.answer?.(request) ?? { refused: [], notStored: [] };
        const left = [...answer.refused, ...answer.notStored];
        stored.push(...request.results.filter(({ projectId }) => !left.includes(projectId)));
        return answer;
      },
    },
  });
  cleanUp.push(plan.close);
  plan.follow('one');
  return stored;
}

function httpCheck(number: number, target: string, more: { everySeconds?: number } = {}) {
  return {
    ...{ checkId: idOf(number), service: 'web', everySeconds: 60, ...more },
    check: { type: 'http', target, timeoutSeconds: 60 },
  };
}

/** A port of the host on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const PATIENTLY = { timeout: 30_000 };

it('[INC-1.1] a check that waits for its turn runs once, however long it has waited', async () => {
  const server = await startHoldingServer();
  const checks = Array.from({ length: 300 }, (_, number) =>
    httpCheck(number, `${server.url}/${number}`, { everySeconds: 1 }),
  );
  startPlan([checks]);
  // As many as run at once are held; the others wait through five of their turns.
  await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBe(250);
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
  await expect.poll(() => counts().size, { timeout: 60_000 }).toBe(300);
  await sleep(500);
  const turns = Math.ceil((performance.now() - releasedAt) / 1_000);
  expect(Math.max(...counts().values())).toBeLessThanOrEqual(1 + turns);
});

it('[OUT-2.2] checks that hang are down after their own timeout, and don’t hold up another project', async () => {
  const hanging = await startHoldingServer();
  const well = await startHoldingServer();
  well.release();
  const checks = Array.from({ length: 200 }, (_, number) => {
    const check = httpCheck(number, `${hanging.url}/${number}`, { everySeconds: 5 });
    return { ...check, check: { ...check.check, timeoutSeconds: 4 } };
  });
  const stored = startPlan([checks, [httpCheck(500, `${well.url}/`, { everySeconds: 1 })]]);
  const downs = () => new Set(stored.flatMap((one) => (one.status === 'down' ? one.checkId : [])));
  await expect.poll(() => downs().size, { timeout: 20_000 }).toBe(200);
  // It runs every second, while the others wait for 4 s.
  expect(stored.filter(({ status }) => status === 'healthy').length).toBeGreaterThanOrEqual(3);
});

it('[OUT-2.2] a control plane that doesn’t answer in time is sent less and later, and nothing is lost', async () => {
  const server = await startHoldingServer();
  server.release();
  const sizes: number[] = [];
  const checks = Array.from({ length: 60 }, (_, number) => httpCheck(number, `${server.url}/`));
  const stored = startPlan([checks], {
    answer({ results }) {
      sizes.push(results.length);
      // As the client does when its time is up.
      if (results.length > 25) throw new ControlPlaneError('POST /check-results: timed out', null);
      return { refused: [], notStored: [] };
    },
  });
  await expect.poll(() => stored.length, PATIENTLY).toBe(60);
  expect(new Set(stored.map(({ checkId }) => checkId)).size).toBe(60);
  for (const [at, size] of sizes.entries()) {
    const before = sizes[at - 1];
    if (before !== undefined && before > 25) expect(size).toBeLessThan(before);
  }
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

it('[INC-1.1] what was measured while the host kept the runner from running is unknown, passes too', async () => {
  const server = await startHoldingServer();
  const stored = startPlan([[httpCheck(1, `${server.url}/`, { everySeconds: 2 })]]);
  await expect.poll(() => server.requests.length, PATIENTLY).toBe(1);
  // Nothing runs in this process meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
  server.release();
  await expect.poll(() => stored.length, PATIENTLY).toBeGreaterThanOrEqual(2);
  const [first, second] = stored;
  expect(first).toMatchObject({ status: 'unknown', responseTimeMs: null });
  expect(first?.error).toContain('too busy');
  expect(second).toMatchObject({ status: 'healthy', error: '' });
});

it('[INC-1.1] results that can’t be stored are sent again, in their order, and don’t hold up other projects', async () => {
  const server = await startHoldingServer();
  server.release();
  const [broken, well] = [idOf(900), idOf(901)];
  let isBroken = true;
  const sent: string[] = [];
  const stored = startPlan(
    [
      [httpCheck(1, `${server.url}/broken`, { everySeconds: 1 })],
      [httpCheck(2, `${server.url}/well`, { everySeconds: 1 })],
    ],
    {
      answer({ results }) {
        sent.push(...results.map(({ projectId }) => projectId));
        return { refused: [], notStored: isBroken ? [broken] : [] };
      },
    },
  );
  await expect.poll(() => stored.length, PATIENTLY).toBeGreaterThanOrEqual(4);
  expect(stored.every(({ projectId }) => projectId === well)).toBe(true);
  // Not with each request: they would fill it.
  expect(sent.filter((id) => id === broken).length).toBeLessThanOrEqual(2);
  isBroken = false;
  const late = () => stored.filter(({ projectId }) => projectId === broken);
  await expect.poll(() => late().length, PATIENTLY).toBeGreaterThanOrEqual(4);
  const numbers = late().map(({ run }) => run?.number ?? 0);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
  expect(late()[0]?.agoMs).toBeGreaterThan(2_000);
});

it.each([
  [413, 'too many at once'],
  [422, 'one of them not as expected'],
])(
  '[INC-1.1] a request that is refused with %d, %s, is halved until the rest is stored',
  async (status) => {
    const server = await startHoldingServer();
    server.release();
    const checks = Array.from({ length: 12 }, (_, number) => httpCheck(number, `${server.url}/`));
    const wrong = idOf(5);
    const stored = startPlan([checks], {
      answer({ results }) {
        const isWrong = results.some(({ checkId }) => checkId === wrong);
        if (status === 422 ? isWrong : results.length > 3) {
          throw new ControlPlaneError('POST /check-results: refused', status);
        }
        return { refused: [], notStored: [] };
      },
    });
    const expected = checks
      .map(({ checkId }) => checkId)
      .filter((id) => status === 413 || id !== wrong);
    await expect.poll(() => stored.length, PATIENTLY).toBe(expected.length);
    expect(stored.map(({ checkId }) => checkId).toSorted()).toEqual(expected);
  },
);

it('[INC-1.1] runs have rising numbers and name their process', async () => {
  const server = await startHoldingServer();
  server.release();
  const stored = startPlan([[httpCheck(1, `${server.url}/`, { everySeconds: 1 })]]);
  await expect.poll(() => stored.length, PATIENTLY).toBeGreaterThanOrEqual(3);
  expect(stored.map(({ run }) => run?.number)).toEqual(stored.map((_, at) => at + 1));
  expect(new Set(stored.map(({ run }) => run?.processId)).size).toBe(1);
});

// 0.0.0.0 is this host, too, but isn't told from another one by its name.
it.each([
  ['nothing else passes and the control plane isn’t found', 'lost', 'unknown'],
  ['the control plane refuses connections', 'refusing', 'down'],
  ['another check passes meanwhile', 'passing', 'down'],
])('[INC-1.1] a service that doesn’t answer, where %s', async (_what, circumstance, status) => {
  const server = await startHoldingServer();
  const { port } = new URL(server.url);
  const failing = httpCheck(1, `http://0.0.0.0:${port}/`);
  failing.check.timeoutSeconds = 2;
  const passing = {
    ...{ checkId: idOf(2), service: 'db', everySeconds: 1 },
    check: { type: 'tcp', target: `0.0.0.0:${port}`, timeoutSeconds: 1 },
  };
  const url =
    circumstance === 'refusing'
      ? `http://127.0.0.1:${await closedPort()}`
      : 'https://tierwatch.invalid';
  const stored = startPlan([circumstance === 'passing' ? [failing, passing] : [failing]], { url });
  const own = () => stored.find(({ checkId }) => checkId === failing.checkId);
  await expect.poll(own, PATIENTLY).toMatchObject({ status });
  expect(own()?.error).toContain(status === 'unknown' ? 'no network' : 'No response');
});
