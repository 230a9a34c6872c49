import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '@/lib/db/tenant-db';
import { appendSessionEvents } from '@/lib/events/data';
import { liveHub } from '@/lib/live/hub/client';
import type { TenantScope } from '@/lib/tenancy/scope';
import { useTestDatabase } from '@/tests/support/database';
import { type Api, type Call, openApi } from './support/api';
import { countQueries } from './support/count-queries';
import { makeTenant, type Tenant } from './support/tenant';
import { type SeededChain, seedThreeTierChain } from './support/three-tier-chain';

useTestDatabase();

let api: Api;
let tenant: Tenant;
let chain: SeededChain;
let token: string;
beforeAll(async () => {
  api = await openApi();
  tenant = await makeTenant();
  chain = await seedThreeTierChain(tenant);
  token = await tenant.token('all');
});

afterAll(() => liveHub().close());

type Json = Record<string, unknown>;

async function ok(
  method: Parameters<Api>[0],
  path: string,
  call: Call = {},
): Promise<Json & { data: Json[] }> {
  const response = await api(method, path, { token, ...call });
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBeLessThan(300);
  return body;
}

const scopeOf = (): TenantScope => tenant.scope;

describe('chains and sessions', () => {
  it('[RES-4.1] [HND-4.1] a chain reads in order, in both directions, from any member', async () => {
    const [first, second, third] = chain.sessionIds;
    const found = await ok('GET', `chains/${chain.chainId}`);
    expect(found.sessions).toMatchObject([
      { id: first, number: 18, tier: 1, parentSessionId: null, child: { id: second } },
      { id: second, number: 19, tier: 2, parentSessionId: first, child: { id: third } },
      { id: third, number: 20, tier: 3, parentSessionId: second, child: null },
    ]);
    for (const id of chain.sessionIds) {
      const session = await ok('GET', `sessions/${id}`);
      expect(session.chainSessions).toMatchObject(chain.sessionIds.map((each) => ({ id: each })));
    }
  });

  it('[RES-5.2] shows the cost of each tier and their total from the same ledger rows', async () => {
    const found = await ok('GET', `chains/${chain.chainId}`);
    expect(found.costByTier).toEqual([
      { tier: 1, costUsd: 0.03 },
      { tier: 2, costUsd: 0.47 },
      { tier: 3, costUsd: 2 },
    ]);
    expect(found.totalCostUsd).toBe(2.5);
    const session = await ok('GET', `sessions/${chain.sessionIds[1]}`);
    expect(session).toMatchObject({
      costUsd: 0.47,
      chainCostUsd: 2.5,
      ledger: [{ tier: 2, costUsd: 0.47, inputTokens: 1_000, isEstimate: false }],
    });
  });

  it('tells how a session started and why, what was started, and what came of it', async () => {
    const session = await ok('GET', `sessions/${chain.sessionIds[1]}`);
    expect(session).toMatchObject({
      tier: 2,
      mechanism: 'resume',
      fallback: false,
      decision: { verdict: 'resume', reason: 'RESUMED', threshold: 0.7, guards: [{ id: 'G1' }] },
      attempts: [
        {
          argv: ['claude', '-p'],
          envNames: ['ANTHROPIC_API_KEY', 'HOME'],
          prompt: 'Look.',
          systemPrompt: 'Be careful.',
          exit: { kind: 'completed', code: 0 },
          runner: { id: chain.runnerId, name: 'host-1' },
        },
      ],
      report: { summary: 'Report of tier 2' },
      handoff: { toTier: 3 },
      receivedHandoff: { toTier: 2, fromSessionId: chain.sessionIds[0] },
      contextUse: { usedTokens: 50_000, windowTokens: 200_000, share: 0.25 },
    });
    const found = await ok('GET', `chains/${chain.chainId}`);
    expect(found).toMatchObject({
      services: [{ name: 'api', status: 'healthy', statusBefore: 'down' }],
      decisions: [{}, {}, {}],
      handoffs: [{}, {}],
    });
  });

  it('filters sessions and gives them page by page without a gap', async () => {
    const ids: unknown[] = [];
    let cursor: string | null = null;
    do {
      const path: string = `sessions?project=shop&limit=1${cursor ? `&cursor=${cursor}` : ''}`;
      const page = await ok('GET', path);
      ids.push(...page.data.map((session) => session.id));
      cursor = page.nextCursor as string | null;
    } while (cursor);
    expect(ids).toEqual(chain.sessionIds.toReversed());
    expect((await ok('GET', 'sessions?tier=2')).data).toMatchObject([{ id: chain.sessionIds[1] }]);
    expect((await ok('GET', 'sessions?status=escalated')).data).toHaveLength(2);
    expect((await ok('GET', `sessions?chain=${chain.chainId}`)).data).toHaveLength(3);
    expect((await ok('GET', 'sessions?status=running')).data).toEqual([]);
    const refused = await api('GET', 'sessions?cursor=nonsense', { token });
    expect(refused.status).toBe(422);
  });

  it('a page of sessions costs the same number of queries however many there are', async () => {
    await ok('GET', 'sessions?limit=1');
    const one = await countQueries(() => ok('GET', 'sessions?limit=1'));
    const three = await countQueries(() => ok('GET', 'sessions?limit=50'));
    expect(one).toBeGreaterThan(0);
    expect(three).toBe(one);
  });

  it('pages events by sequence, from either end', async () => {
    const path = `sessions/${chain.sessionIds[0]}/events`;
    const first = await ok('GET', `${path}?limit=20`);
    expect(first.data.map((event) => event.seq)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    const second = await ok('GET', `${path}?limit=20&cursor=${first.nextCursor}`);
    expect(second.data.map((event) => event.seq)).toEqual([21, 22, 23, 24, 25]);
    expect(second.nextCursor).toBeNull();
    const last = await ok('GET', `${path}?before=25&limit=2`);
    expect(last.data.map((event) => event.seq)).toEqual([23, 24]);
  });

  it('follows events live from Last-Event-ID without a gap or a repeat', async () => {
    const [, , sessionUuid] = chain.sessionUuids;
    const abort = new AbortController();
    const response = await api('GET', `sessions/${chain.sessionIds[2]}/events`, {
      token,
      headers: { accept: 'text/event-stream', 'last-event-id': '20' },
      signal: abort.signal,
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (part: string) => {
      while (!text.includes(part)) {
        const chunk = await reader?.read();
        if (!chunk || chunk.done) throw new Error(`The stream ended before ${part}.`);
        text += chunk.value;
      }
    };
    await until('event: end');
    await inTransaction(scopeOf(), (db) =>
      appendSessionEvents(db, scopeOf().organizationId, sessionUuid, [
        { attemptId: null, attemptSeq: null, kind: 'notice', at: new Date(), payload: { late: 1 } },
      ]),
    );
    await until('id: 26\n');
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual([
      21, 22, 23, 24, 25, 26,
    ]);
    abort.abort();
  });

  it('acknowledges once a chain that needs a human, and says so in the audit log', async () => {
    const path = `chains/${chain.chainId}/acknowledge`;
    const done = await ok('POST', path, { body: { note: 'On it' } });
    expect(done.acknowledgement).toMatchObject({ by: 'test', note: 'On it' });
    expect((await api('POST', path, { token, body: {} })).status).toBe(409);
    const audit = await ok('GET', 'audit?limit=1');
    expect(audit.data).toMatchObject([{ action: 'chain.acknowledged', target: chain.chainId }]);
  });
});

describe('projects', () => {
  it('are created from a name alone, observing only', async () => {
    const project = await ok('POST', 'projects', { body: { name: 'Plain one' } });
    expect(project).toMatchObject({ slug: 'plain-one', maxTier: 1, version: 1, serviceStates: [] });
    expect((project.tiers as Json[]).map((tier) => tier.isEnabled)).toEqual([true, false, false]);
    expect(await ok('GET', 'projects/plain-one')).toEqual(project);
    expect(await ok('GET', `projects/${project.id}`)).toEqual(project);
  });

  it('a PATCH merges, raises the version and names every bad field', async () => {
    await ok('POST', 'projects', { body: { name: 'Patched' } });
    const body = { tiers: [{ tier: 2, isEnabled: true, maxTurns: 9 }], budgets: { dayUsd: 1 } };
    const project = await ok('PATCH', 'projects/patched', { body });
    expect(project).toMatchObject({
      version: 2,
      maxTier: 2,
      budgets: { dayUsd: 1, monthUsd: 500 },
      tiers: [{}, { isEnabled: true, maxTurns: 9, model: 'sonnet' }, { isEnabled: false }],
    });
    const bad = await api('PATCH', 'projects/patched', {
      token,
      body: { tiers: [{ tier: 2, maxTurns: 0 }], contextThreshold: 2 },
    });
    expect(bad.status).toBe(422);
    expect((await bad.json()).fields).toMatchObject({
      'tiers.0.maxTurns': 'Turn limit must be 1 to 500.',
      contextThreshold: expect.any(String),
    });
    const schedule = await api('PATCH', 'projects/patched', {
      token,
      body: { schedule: { kind: 'cron', expression: '*/7 25 * * *' } },
    });
    expect((await schedule.json()).fields).toHaveProperty('schedule');
    expect(await ok('GET', 'projects/patched')).toMatchObject({ version: 2 });
  });

  it('run one chain at a time: the second start answers 409 with the id of the first', async () => {
    await ok('POST', 'projects', { body: { name: 'Runs' } });
    const started = await ok('POST', 'projects/runs/chains', { body: { prompt: 'Look at disks' } });
    expect(started).toMatchObject({ number: 1, status: 'queued', trigger: 'api' });
    expect(started.sessions).toHaveLength(1);
    const second = await api('POST', 'projects/runs/chains', { token, body: {} });
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ chainId: started.id });
    expect((await api('DELETE', 'projects/runs', { token })).status).toBe(409);
    expect(await ok('POST', `chains/${started.id}/stop`)).toMatchObject({ outcome: 'stopped' });
    expect((await ok('GET', 'projects/runs/chains')).data).toMatchObject([{ id: started.id }]);
    expect((await api('DELETE', 'projects/runs', { token })).status).toBe(204);
    expect((await api('GET', 'projects/runs', { token })).status).toBe(404);
  });

  it('that are paused start nothing until they are resumed', async () => {
    await ok('POST', 'projects', { body: { name: 'Paused' } });
    const paused = await ok('POST', 'projects/paused/pause', { body: { reason: 'Move' } });
    expect(paused.pause).toMatchObject({ by: 'test', reason: 'Move' });
    const refused = await api('POST', 'projects/paused/chains', { token, body: {} });
    expect(refused.status).toBe(412);
    expect(await ok('DELETE', 'projects/paused/pause')).toMatchObject({ pause: null });
    await ok('POST', 'organization/pause', { body: { reason: 'Night' } });
    expect((await api('POST', 'projects/paused/chains', { token, body: {} })).status).toBe(412);
    expect(await ok('DELETE', 'organization/pause')).toMatchObject({ pausedAt: null });
    await ok('POST', 'projects/paused/chains', { body: {} });
  });

  it('snooze a service until a time, and wake it', async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const path = 'projects/shop/services/api/snooze';
    const snoozed = await ok('POST', path, { body: { until, reason: 'Deploy' } });
    expect(snoozed.snooze).toEqual({ until, by: 'test', reason: 'Deploy' });
    expect(await ok('DELETE', path)).toMatchObject({ snooze: null });
    const past = await api('POST', path, { token, body: { until: '2020-01-01T00:00:00Z' } });
    expect(past.status).toBe(422);
    expect((await api('DELETE', 'projects/shop/services/none/snooze', { token })).status).toBe(404);
  });
});

describe('runners, tokens and the audit log', () => {
  it('an enrolment token is shown once; a runner is drained, resumed and revoked', async () => {
    const enrolment = await ok('POST', 'runners', { body: { pool: 'edge', allowedTiers: [1] } });
    expect(enrolment.token).toMatch(/^enr_/);
    expect((await ok('GET', 'runners')).data).toMatchObject([
      { status: 'online', pool: 'default' },
    ]);
    const path = `runners/${chain.runnerId}`;
    expect(await ok('POST', `${path}/drain`)).toMatchObject({ status: 'draining' });
    expect(await ok('DELETE', `${path}/drain`)).toMatchObject({ status: 'online' });
    expect(await ok('POST', `${path}/revoke`)).toMatchObject({ status: 'revoked' });
    expect((await api('POST', `${path}/drain`, { token })).status).toBe(409);
    expect(await ok('GET', path)).toMatchObject({ status: 'revoked' });
  });

  it('[SAS-6.2] a token is shown once and worth nothing once revoked', async () => {
    const made = await ok('POST', 'tokens', { body: { name: 'ci', scopes: ['projects:read'] } });
    const secret = String(made.token);
    expect((await api('GET', 'projects', { token: secret })).status).toBe(200);
    const listed = JSON.stringify(await ok('GET', 'tokens'));
    expect(listed).toContain(made.id);
    expect(listed).not.toContain(secret);
    await ok('DELETE', `tokens/${made.id}`);
    expect((await api('GET', 'projects', { token: secret })).status).toBe(401);
  });

  it('the audit log reads page by page and verifies', async () => {
    const first = await ok('GET', 'audit?limit=2');
    const second = await ok('GET', `audit?limit=2&cursor=${first.nextCursor}`);
    const numbers = [...first.data, ...second.data].map((entry) => Number(entry.seq));
    expect(numbers).toEqual([0, 1, 2, 3].map((step) => (numbers[0] ?? 0) - step));
    expect(await ok('GET', 'audit/verification')).toMatchObject({ isIntact: true, firstBad: null });
  });
});

describe('webhook endpoints', () => {
  it('[SAS-5.1] are created with a secret shown once, changed, tested, rotated and deleted', async () => {
    const body = { url: 'https://hooks.example.com/t', eventTypes: ['chain.completed'] };
    const made = await ok('POST', 'webhook-endpoints', { body });
    expect(made.secret).toMatch(/^whsec_/);
    const path = `webhook-endpoints/${made.id}`;
    expect(await ok('GET', path)).not.toHaveProperty('secret');
    expect(await ok('PATCH', path, { body: { description: 'Pager' } })).toMatchObject({
      description: 'Pager',
      url: body.url,
    });
    const rotated = await ok('POST', `${path}/rotate`);
    expect(rotated.secret).not.toBe(made.secret);
    const test = await ok('POST', `${path}/test`);
    expect(test).toMatchObject({ eventType: 'webhook.test', status: 'scheduled' });
    const listed = await ok('GET', `webhook-deliveries?endpoint=${made.id}&status=scheduled`);
    expect(listed.data).toMatchObject([{ id: test.id }]);
    expect(await ok('GET', `webhook-deliveries/${test.id}`)).toMatchObject({ log: [] });
    expect((await api('POST', `webhook-deliveries/${test.id}/replay`, { token })).status).toBe(409);
    expect((await api('DELETE', path, { token })).status).toBe(204);
    expect((await api('GET', path, { token })).status).toBe(404);
  });

  it.each(['http://hooks.example.com', 'https://127.0.0.1/x', 'https://2130706433/', 'nonsense'])(
    '[SAS-5.1] %s is refused as a target',
    async (url) => {
      const body = { url, eventTypes: ['chain.completed'] };
      const refused = await api('POST', 'webhook-endpoints', { token, body });
      expect(refused.status).toBe(422);
      expect((await refused.json()).fields).toHaveProperty('url');
    },
  );
});
