import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendSessionEvents } from '@/lib/engine/events/data';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { liveHub } from '@/lib/platform/live/hub';
import { useTestDatabase } from '@/tests/support/database';
import { openTenantApi, type TenantApi } from './support/client';
import { countQueries } from './support/count-queries';
import { makeTenant, type Tenant } from './support/tenant';
import { type SeededChain, seedThreeTierChain } from './support/three-tier-chain';

useTestDatabase();

let api: TenantApi['api'];
let ok: TenantApi['ok'];
let tenant: Tenant;
let chain: SeededChain;
beforeAll(async () => {
  tenant = await makeTenant();
  chain = await seedThreeTierChain(tenant);
  ({ api, ok } = await openTenantApi(tenant));
});
afterAll(() => liveHub().close());

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
      ledger: [
        { tier: 2, costUsd: 0.47, inputTokens: 1_000, source: 'reported', isEstimate: false },
      ],
    });
  });

  it('tells how a session started and why, what was started, and its outcome', async () => {
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
    const refused = await api('GET', 'sessions?cursor=nonsense');
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
    await inTransaction(tenant.scope, async (db) =>
      appendSessionEvents(db, sessionUuid, [
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
    expect((await api('POST', path, { body: {} })).status).toBe(409);
    const audit = await ok('GET', 'audit?limit=1');
    expect(audit.data).toMatchObject([{ action: 'chain.acknowledged', target: chain.chainId }]);
  });
});
