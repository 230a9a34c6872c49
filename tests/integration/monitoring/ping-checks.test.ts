/** Heartbeats: who may ping, and what pings and missed deadlines lead to. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { judgePingChecks } from '@/lib/monitoring/judge-pings';
import {
  listPingChecks,
  revokePingCheck,
  rotatePingCheck,
} from '@/lib/monitoring/manage-ping-checks';
import { getCheckPlan, recordCheckPlanResults } from '@/lib/monitoring/runner-checks';
import { assignCheckers, expireResults } from '@/lib/monitoring/sweep';
import { systemDb } from '@/lib/platform/db/global-db';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { ProjectConfig } from '@/lib/projects/schema';
import { type ApiServer, startApiServer } from '@/tests/integration/api/support/server';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { recordPresence } from '@/tests/support/presence';
import '@/tests/support/subscriptions';
import { refusalOf, saveConfig } from '../engine/support/running';

useTestDatabase();

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer('heartbeats');
});
afterAll(() => server.close());
// Each test has its own times.
beforeEach(async () => {
  await systemDb('heartbeat tests').processHeartbeat.deleteMany({});
});

const HOUR = 3_600;
const GRACE = 600;
const MONITORING = { everySeconds: 60, failures: 2, lastResults: 3 };
type Check = ProjectConfig['services'][number]['checks'][number];
const beat = (more: Partial<Check> = {}): Check => ({
  ...{ type: 'heartbeat', target: 'nightly', timeoutSeconds: 5 },
  ...{ periodSeconds: HOUR, graceSeconds: GRACE, ...more },
});
const TCP: Check = { type: 'tcp', target: '127.0.0.1:9', timeoutSeconds: 5 };
const withChecks = (...checks: Check[]): Partial<ProjectConfig> => ({
  monitoring: MONITORING,
  services: [{ name: 'backup', checks }],
});

const inSeconds = (seconds: number, from = new Date()) =>
  new Date(from.getTime() + seconds * 1_000);

async function makeBeating(...checks: Check[]): Promise<Cast> {
  const cast = await makeCast(withChecks(...(checks.length > 0 ? checks : [beat()])));
  await assignCheckers();
  return cast;
}

async function heartbeats(cast: Cast, scope: TenantScope = cast.alice, now = new Date()) {
  return inTransaction(cast.alice, async (db) => {
    const { id } = await db.service.findFirstOrThrow({ where: { name: 'backup' } });
    return listPingChecks(db, scope, id, now);
  });
}

async function heartbeat(cast: Cast, now = new Date()) {
  const [first] = await heartbeats(cast, cast.alice, now);
  if (!first) throw new Error('The service has no heartbeat.');
  return first;
}

async function referenceOf(cast: Cast) {
  return { project: cast.projectSlug, heartbeatId: (await heartbeat(cast)).id };
}

/** The path of its URL, below a server of this test. */
async function pathOf(cast: Cast): Promise<string> {
  const { url } = await heartbeat(cast);
  if (url.kind !== 'shown') throw new Error(`The URL is ${url.kind}.`);
  return new URL(url.url).pathname;
}

function ping(path: string, signal = '', init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}${path}${signal}`, { redirect: 'manual', ...init });
}

/** The project’s runner says of all of its checks that they pass, also of those that aren’t its own. */
async function reportHealthy(cast: Cast): Promise<void> {
  const [project] = (await getCheckPlan(cast.runner)).projects;
  if (!project) throw new Error('The runner has no checks.');
  const ids = await inTransaction(cast.alice, (db) =>
    db.serviceCheck.findMany({ select: { id: true } }),
  );
  const ranAt = new Date().toISOString();
  const results = ids.map(({ id: checkId }) => ({
    ...{ projectId: project.projectId, epoch: project.epoch, checkId, status: 'healthy' as const },
    ...{ error: '', responseTimeMs: 1, ranAt, agoMs: 0 },
  }));
  expect(await recordCheckPlanResults(cast.runner, { results })).toEqual({
    refused: [],
    notStored: [],
  });
}

/** Web processes have answered for that long without a gap, until then. */
async function answering(end: Date, seconds = 2 * HOUR): Promise<void> {
  for (let past = seconds; past > 0; past -= 15) await recordPresence(inSeconds(-past, end));
  await recordPresence(end);
}

function stateOf(cast: Cast) {
  return inTransaction(cast.alice, async (db) => {
    const service = await db.service.findFirstOrThrow({ where: { name: 'backup' } });
    const results = await db.checkResult.findMany({ orderBy: { at: 'asc' } });
    const incidents = await db.incident.findMany({ select: { state: true, startedAt: true } });
    return {
      status: service.status,
      error: service.lastError,
      results: results.map(({ status, at, error, runnerId }) => ({ status, at, error, runnerId })),
      incidents,
    };
  });
}

describe('a ping', () => {
  it.each([
    ['GET', '', 'healthy'],
    ['POST', '', 'healthy'],
    ['GET', '/0', 'healthy'],
    ['GET', '/fail', 'down'],
    ['POST', '/17', 'down'],
    ['GET', '?rid=8f2e', 'healthy'],
  ] as const)('[INC-1.1] by %s with %j has the result %s', async (method, signal, status) => {
    const cast = await makeBeating();
    const body = method === 'POST' ? { body: 'x'.repeat(100_000) } : {};
    const response = await ping(await pathOf(cast), signal, { method, ...body });
    expect([response.status, await response.text()]).toEqual([200, 'OK\n']);
    expect(await judgePingChecks()).toBeGreaterThan(0);
    const { results } = await stateOf(cast);
    expect(results).toMatchObject([{ status, runnerId: null }]);
  });

  it('[INC-1.1] makes a service without a runner healthy, at once for the first time', async () => {
    const cast = await makeBeating();
    expect(await heartbeat(cast)).toMatchObject({ state: 'waiting', deadline: null });
    await judgePingChecks(inSeconds(30 * HOUR));
    expect(await stateOf(cast)).toMatchObject({ status: 'unknown', results: [], incidents: [] });
    await ping(await pathOf(cast));
    await judgePingChecks();
    expect(await stateOf(cast)).toMatchObject({ status: 'healthy' });
    const { state, lastPingAt, deadline } = await heartbeat(cast);
    expect(state).toBe('up');
    expect(deadline).toEqual(inSeconds(HOUR + GRACE, lastPingAt ?? undefined));
    // Nothing is left for a runner.
    expect(await getCheckPlan(cast.runner)).toEqual({ digest: '', projects: [] });
  });

  it('[INC-1.1] of a start has the time until the end as its duration', async () => {
    const cast = await makeBeating();
    const path = await pathOf(cast);
    await ping(path, '/start');
    expect((await heartbeat(cast)).state).toBe('running');
    await sleep(20);
    await ping(path);
    const { lastDurationMs, state } = await heartbeat(cast);
    expect(lastDurationMs).toBeGreaterThanOrEqual(20);
    expect(state).toBe('up');
  });

  it('[INC-1.1] that failed is down after N of M, until one that succeeded', async () => {
    const cast = await makeBeating();
    const path = await pathOf(cast);
    await ping(path, '/3');
    await judgePingChecks();
    expect((await stateOf(cast)).status).toBe('unknown');
    await judgePingChecks(inSeconds(61));
    expect(await stateOf(cast)).toMatchObject({
      ...{ status: 'down', error: 'The job reported exit code 3.' },
      incidents: [{ state: 'open' }],
    });
    await ping(path);
    for (const seconds of [80, 150, 220]) await judgePingChecks(inSeconds(seconds));
    expect((await stateOf(cast)).status).toBe('healthy');
  });

  it.each(['/256', '/-1', '/1.5', '/failed'])(
    '[INC-1.1] that ends with %s says how to end it, and isn’t recorded',
    async (signal) => {
      const cast = await makeBeating();
      const response = await ping(await pathOf(cast), signal);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
      expect((await heartbeat(cast)).state).toBe('waiting');
    },
  );
});

describe('a stranger', () => {
  const TOKEN = `hbt_${'x'.repeat(49)}`;

  it.each([
    ['no heartbeat has', TOKEN],
    ['is none', 'x'],
    ['no heartbeat has, and reports a failure', `${TOKEN}/fail`],
    ['is very long', `hbt_${'x'.repeat(5_000)}`],
    ['has a NUL character', '%00'],
    ['is SQL', "'or 1=1--"],
  ])('[INC-1.1] with a token that %s is answered 404', async (_what, token) => {
    const response = await ping(`/api/heartbeats/${token}`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  it('[INC-1.1] pings the heartbeat of the URL, and no other organization’s', async () => {
    const [cast, other] = [await makeBeating(), await makeBeating()];
    await ping(await pathOf(other));
    expect((await heartbeat(other)).state).toBe('up');
    expect((await heartbeat(cast)).state).toBe('waiting');
  });

  it('[INC-1.1] can’t change the URL of another organization, nor a viewer see or change one', async () => {
    const [cast, other] = [await makeBeating(), await makeBeating()];
    const reference = await referenceOf(cast);
    const path = await pathOf(cast);
    const viewer = { ...cast.alice, role: 'viewer' as const };
    for (const change of [
      (scope: TenantScope) => rotatePingCheck(scope, reference),
      (scope: TenantScope) => revokePingCheck(scope, { ...reference, url: 'all' }),
      (scope: TenantScope) => revokePingCheck(scope, { ...reference, url: 'previous' }),
    ]) {
      // The project of that slug is their own there.
      expect(await refusalOf(change(other.alice))).toBe('not_found');
      expect(await refusalOf(change(viewer))).toBe('forbidden');
    }
    expect((await heartbeats(cast, viewer))[0]?.url).toEqual({ kind: 'hidden' });
    expect(await pathOf(cast)).toBe(path);
  });

  it('[INC-1.1] has a day to use a rotated URL, and no longer', async () => {
    const cast = await makeBeating();
    const old = await pathOf(cast);
    await rotatePingCheck(cast.alice, await referenceOf(cast));
    const current = await pathOf(cast);
    expect(current).not.toBe(old);
    for (const path of [old, current]) expect((await ping(path)).status).toBe(200);
    await inTransaction(cast.alice, (db) =>
      db.pingCheck.updateMany({ data: { previousTokenUntil: inSeconds(-1) } }),
    );
    expect((await ping(old)).status).toBe(404);
    expect((await ping(current)).status).toBe(200);
  });

  it('[INC-1.1] isn’t cut off by a second rotation, which is refused until the first is over', async () => {
    const cast = await makeBeating();
    const reference = await referenceOf(cast);
    const first = await pathOf(cast);
    await rotatePingCheck(cast.alice, reference);
    const second = await pathOf(cast);
    const { previousUrlUntil } = await heartbeat(cast);
    expect(previousUrlUntil?.getTime()).toBeGreaterThan(inSeconds(23 * HOUR).getTime());
    await expect(rotatePingCheck(cast.alice, reference)).rejects.toThrow(/is accepted until/);
    for (const path of [first, second]) expect((await ping(path)).status).toBe(200);
    await rotatePingCheck(cast.alice, reference, inSeconds(25 * HOUR));
    expect((await ping(first)).status).toBe(404);
    expect((await ping(second)).status).toBe(200);
  });

  it('[INC-1.1] of two who rotate at once, one is refused, and the URL in use stays', async () => {
    const cast = await makeBeating();
    const reference = await referenceOf(cast);
    const old = await pathOf(cast);
    const rotations = await Promise.allSettled(
      [1, 2, 3].map(() => rotatePingCheck(cast.alice, reference)),
    );
    expect(rotations.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await ping(old)).status).toBe(200);
  });

  it('[INC-1.1] with a leaked URL is refused once it is revoked', async () => {
    const cast = await makeBeating();
    const reference = await referenceOf(cast);
    const leaked = await pathOf(cast);
    await rotatePingCheck(cast.alice, reference);
    const current = await pathOf(cast);
    await revokePingCheck(cast.alice, { ...reference, url: 'previous' });
    expect((await ping(leaked)).status).toBe(404);
    expect((await ping(current)).status).toBe(200);
    expect((await heartbeat(cast)).previousUrlUntil).toBeNull();
    expect(await refusalOf(revokePingCheck(cast.alice, { ...reference, url: 'previous' }))).toBe(
      'conflict',
    );
    await rotatePingCheck(cast.alice, reference);
    const next = await pathOf(cast);
    await revokePingCheck(cast.alice, { ...reference, url: 'all' });
    for (const path of [current, next]) expect((await ping(path)).status).toBe(404);
    expect((await ping(await pathOf(cast))).status).toBe(200);
    const entries = await inTransaction(cast.alice, (db) =>
      db.auditLog.findMany({
        where: { action: 'heartbeat.revoked' },
        orderBy: { seq: 'asc' },
        omit: { seq: true },
      }),
    );
    expect(entries.map(({ detail }) => detail)).toMatchObject([
      ...[
        { name: 'nightly', url: 'previous' },
        { name: 'nightly', url: 'all' },
      ],
    ]);
  });

  it('[INC-1.1] who asks by HEAD reports nothing', async () => {
    const cast = await makeBeating();
    const path = await pathOf(cast);
    for (const signal of ['', '/fail', '/start']) {
      const response = await ping(path, signal, { method: 'HEAD' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
    }
    expect((await heartbeat(cast)).state).toBe('waiting');
  });

  it('[INC-1.1] who opens the URL reports nothing where only POST counts, also while a job pings', async () => {
    const cast = await makeBeating(beat({ isPostOnly: true }));
    const path = await pathOf(cast);
    for (const signal of ['', '/fail', '/start']) {
      const response = await ping(path, signal);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
    expect((await heartbeat(cast)).state).toBe('waiting');
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        at % 2 ? ping(path, '/fail') : ping(path, '', { method: 'POST' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 200 }, (_, at) => (at % 2 ? 405 : 200)),
    );
    expect((await heartbeat(cast)).state).toBe('up');
  });

  it('[INC-1.1] finds no token in the database or in the audit log', async () => {
    const cast = await makeBeating();
    await rotatePingCheck(cast.alice, await referenceOf(cast));
    const token = (await pathOf(cast)).split('/').at(-1) ?? '';
    const rows = await inTransaction(cast.alice, async (db) => [
      await db.pingCheck.findMany({ omit: { lastDurationMs: true } }),
      await db.auditLog.findMany({ omit: { seq: true } }),
      await db.serviceCheck.findMany(),
    ]);
    const stored = JSON.stringify(rows, (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(stored).toContain('heartbeat.rotated');
    expect(stored).not.toContain(token.slice(4));
  });

  it('[INC-1.1] who pings a thousand times leaves one result, and the last ping counts', async () => {
    const cast = await makeBeating();
    const path = await pathOf(cast);
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, number) => ping(path, number % 2 ? '/fail' : '')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await ping(path, '/9')).status).toBe(200);
    const judged = new Date();
    await judgePingChecks(judged);
    expect((await stateOf(cast)).results.map(({ status }) => status)).toEqual(['healthy', 'down']);
    for (const signal of ['', '/9', '']) await ping(path, signal);
    // Five results a minute, at most two each; no ping is lost meanwhile.
    await judgePingChecks(inSeconds(5, judged));
    expect((await stateOf(cast)).results).toHaveLength(2);
    expect((await heartbeat(cast)).state).toBe('up');
    await judgePingChecks(inSeconds(13, judged));
    expect((await stateOf(cast)).results.map(({ status }) => status)).toEqual([
      ...['healthy', 'down', 'down', 'healthy'],
    ]);
  });
});

describe('a missed deadline', () => {
  it('[INC-1.1] opens an incident, which began at the deadline', async () => {
    const cast = await makeBeating();
    await ping(await pathOf(cast));
    await judgePingChecks();
    const { deadline } = await heartbeat(cast);
    if (!deadline) throw new Error('It has no deadline.');
    await answering(inSeconds(1, deadline));
    await judgePingChecks(inSeconds(-1, deadline));
    await judgePingChecks(inSeconds(1, deadline));
    expect((await stateOf(cast)).status).toBe('healthy');
    await answering(inSeconds(62, deadline));
    await judgePingChecks(inSeconds(62, deadline));
    const { status, error, incidents } = await stateOf(cast);
    expect(status).toBe('down');
    expect(error).toMatch(/^No ping since .* One was due by /);
    expect(incidents).toEqual([{ state: 'open', startedAt: deadline }]);
  });

  it('[INC-1.1] is unknown if the control plane was away, and down once the next one is missed', async () => {
    const cast = await makeBeating();
    await ping(await pathOf(cast));
    await judgePingChecks();
    const { deadline } = await heartbeat(cast);
    if (!deadline) throw new Error('It has no deadline.');
    const back = inSeconds(30, deadline);
    // Nobody answers, so nothing is known about the job.
    await judgePingChecks(inSeconds(1, deadline));
    expect((await stateOf(cast)).results).toHaveLength(1);
    await recordPresence(back);
    for (const seconds of [31, 100]) {
      await answering(inSeconds(seconds, deadline), seconds - 30);
      await judgePingChecks(inSeconds(seconds, deadline));
    }
    const lost = await stateOf(cast);
    expect([lost.status, lost.incidents]).toEqual(['unknown', []]);
    expect(lost.error).toMatch(/^Tierwatch couldn’t be reached until /);
    const next = inSeconds(HOUR + GRACE, back);
    await answering(inSeconds(2, next), HOUR + GRACE - 80);
    await judgePingChecks(inSeconds(1, next));
    await answering(inSeconds(63, next), 60);
    await judgePingChecks(inSeconds(63, next));
    expect((await stateOf(cast)).status).toBe('down');
  });

  it('[INC-1.1] isn’t the absence of a runner’s result', async () => {
    const cast = await makeBeating(TCP, beat());
    await ping(await pathOf(cast));
    await judgePingChecks();
    await reportHealthy(cast);
    await answering(inSeconds(HOUR), 120);
    await expireResults(inSeconds(HOUR));
    const checks = await inTransaction(cast.alice, (db) =>
      db.serviceCheck.findMany({ orderBy: { position: 'asc' } }),
    );
    expect(checks.map(({ status }) => status)).toEqual(['unknown', 'healthy']);
  });
});

describe('a heartbeat check', () => {
  it('[INC-1.1] keeps its URL when its times change, and waits again when it comes back', async () => {
    const cast = await makeBeating();
    const path = await pathOf(cast);
    await ping(path);
    await judgePingChecks();
    await saveConfig(cast, withChecks(beat({ periodSeconds: 2 * HOUR, graceSeconds: 60 })));
    await assignCheckers();
    expect(await pathOf(cast)).toBe(path);
    const { lastPingAt, deadline } = await heartbeat(cast);
    expect(deadline).toEqual(inSeconds(2 * HOUR + 60, lastPingAt ?? undefined));
    await saveConfig(cast, withChecks(beat({ target: 'weekly' })));
    await assignCheckers();
    expect((await ping(path)).status).toBe(404);
    await saveConfig(cast, withChecks(beat()));
    await assignCheckers();
    expect(await pathOf(cast)).toBe(path);
    expect((await heartbeat(cast)).state).toBe('waiting');
    expect((await ping(path)).status).toBe(200);
  });

  it('[INC-1.1] keeps its URL when another method counts, and when others come, move and go', async () => {
    const cast = await makeBeating(beat(), beat({ target: 'weekly' }));
    const urls = async () =>
      Object.fromEntries((await heartbeats(cast)).map(({ name, url }) => [name, url]));
    const before = await urls();
    const changes = [
      [beat({ target: 'weekly' }), beat({ isPostOnly: true })],
      [beat({ target: 'hourly' }), beat({ periodSeconds: 60 }), beat({ target: 'weekly' })],
      [beat()],
    ];
    for (const checks of changes) {
      await saveConfig(cast, withChecks(...checks));
      await assignCheckers();
      const after = await urls();
      expect(Object.keys(after)).toEqual(checks.map(({ target }) => target));
      for (const name of Object.keys(after).filter((name) => name in before)) {
        expect(after[name]).toEqual(before[name]);
      }
    }
  });

  it.each([
    ['added behind it', [beat(), beat({ periodSeconds: 2 * HOUR })]],
    ['added before it', [beat({ periodSeconds: 2 * HOUR }), beat()]],
    ['a copy of it', [beat(), beat()]],
  ])('[INC-1.1] with the name of another of its service is refused: %s', async (_what, checks) => {
    const cast = await makeBeating();
    const path = await pathOf(cast);
    await expect(saveConfig(cast, withChecks(...checks))).rejects.toMatchObject({
      details: {
        fields: { 'services.0.checks.1.target': expect.stringMatching(/^This service has a/) },
      },
    });
    // Beside it, another service may have one of that name, with a URL of its own.
    await saveConfig(cast, {
      monitoring: MONITORING,
      services: ['backup', 'other'].map((name) => ({ name, checks: [beat()] })),
    });
    await assignCheckers();
    expect(await pathOf(cast)).toBe(path);
  });

  it('[INC-1.1] beside one of a runner: each is judged on its own, and the runner can’t speak for the job', async () => {
    const cast = await makeBeating(TCP, beat());
    const plan = await getCheckPlan(cast.runner);
    expect(plan.projects.map(({ checks }) => checks.map(({ check }) => check))).toMatchObject([
      [{ type: 'tcp' }],
    ]);
    await reportHealthy(cast);
    expect((await stateOf(cast)).results).toHaveLength(1);
    // One that waits for its first ping doesn't hide what the other check knows.
    expect((await stateOf(cast)).status).toBe('healthy');
    await ping(`${await pathOf(cast)}/fail`);
    await judgePingChecks();
    // One of the two failures that it takes: nothing is known of the job yet.
    expect((await stateOf(cast)).status).toBe('unknown');
  });
});
