/** Results stay small, and everything can still be read page by page. */
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appendSessionEvents } from '@/lib/engine/events/data';
import { listEvents } from '@/lib/insight/sessions/events';
import { eventText } from '@/lib/insight/sessions/write-log';
import { MAX_RESULT_CHARS } from '@/lib/mcp/fit';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { useTestDatabase } from '@/tests/support/database';
import { type ApiServer, startApiServer } from '../api/support/server';
import { makeTenant, type Tenant } from '../api/support/tenant';
import { type SeededChain, seedThreeTierChain } from '../api/support/three-tier-chain';
import { connect, type McpSession } from './support/mcp-client';

useTestDatabase();

const CHAINS = 60;
const LARGE = '"quoted" line\n'.repeat(3_000);

let tenant: Tenant;
let seeded: SeededChain;
let server: ApiServer;
let session: McpSession;
beforeAll(async () => {
  tenant = await makeTenant();
  seeded = await seedThreeTierChain(tenant);
  await inTransaction(tenant.scope, async (db) => {
    const [chain] = await db.chain.findMany({});
    if (!chain) throw new Error('The chain is missing.');
    await db.chain.createMany({
      data: Array.from({ length: CHAINS - 1 }, (_, at) => {
        const number = at + 2;
        return { ...chain, id: uuidv7(), number, summary: `${number} ${LARGE}` };
      }),
    });
    await db.session.updateMany({
      data: { report: { summary: LARGE }, statusText: LARGE },
    });
    const of = { attemptId: null, kind: 'text', at: new Date() };
    const texts = ['short', LARGE, 'between 🚀', `${LARGE}${LARGE}`, 'the end'];
    appendSessionEvents(
      db,
      seeded.sessionUuids[0],
      texts.map((text) => ({ ...of, attemptSeq: null, payload: { kind: 'text', text } })),
    );
  });
  server = await startApiServer('mcp');
  session = await connect('legacy', { url: server.url, token: await tenant.token('all') });
});
afterAll(async () => {
  await session.close();
  await server.close();
});

async function small(name: string, args: Record<string, unknown>) {
  const result = await session.ok(name, args);
  expect(JSON.stringify(result).length).toBeLessThanOrEqual(MAX_RESULT_CHARS);
  return result;
}

it('[INC-4.3] a list of large rows has shorter pages, and its cursors leave none out', async () => {
  const seen: number[] = [];
  let cursor: unknown;
  do {
    const page = await small('list_chains', { limit: 50, ...(cursor ? { cursor } : {}) });
    // Shorter texts would be no reason for a longer page.
    expect(page).not.toHaveProperty('cut');
    const chains = page.chains as { number: number; summary?: { total_chars?: number } }[];
    seen.push(...chains.map(({ number }) => number));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(seen.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: CHAINS }, (_, at) => at + 1),
  );
});

it('[INC-4.3] a list has 20 rows unless more are asked for', async () => {
  const { chains } = await small('list_chains', {});
  expect(chains).toHaveLength(20);
});

it('[INC-4.3] a long summary, report and status are cut, and say how long they were', async () => {
  const chain = await small('get_chain', { chain: 7, project: 'shop' });
  expect(chain.summary).toMatchObject({ total_chars: LARGE.length + 2 });
  const one = await small('get_session', { session: seeded.sessionIds[0] });
  expect(one.report).toMatchObject({ total_chars: expect.any(Number) });
});

it('[INC-4.3] a log can be read whole, by event and within a large one', async () => {
  let text = '';
  let next: Record<string, unknown> = { from_event: 1 };
  let total = 0;
  for (let count = 0; count < 100; count += 1) {
    const page = await small('read_log', { session: seeded.sessionIds[0], ...next, limit: 12 });
    const { log } = page as { log?: { untrusted_text: string; total_chars?: number } };
    expect(log?.total_chars).toBeUndefined();
    text += log?.untrusted_text ?? '';
    total = page.total_events as number;
    if (page.next_event === null) break;
    next = { from_event: page.next_event, offset: page.next_offset ?? 0 };
  }
  const { events } = await listEvents(tenant.scope, seeded.sessionIds[0], { limit: 1_000 });
  expect(total).toBe(30);
  expect(text).toBe(events.map(eventText).join(''));
});

it('[INC-4.3] a negative number counts events from the end', async () => {
  const page = await small('read_log', { session: 18, project: 'shop', from_event: -1 });
  expect(page).toMatchObject({ first_event: 30, last_event: 30, next_event: null });
  expect(page.log).toMatchObject({ untrusted_text: expect.stringContaining('the end') });
  const all = await small('read_log', { session: 18, project: 'shop', from_event: -500 });
  expect(all.first_event).toBe(1);
  const none = await small('read_log', { session: 18, project: 'shop', from_event: 31 });
  expect(none).toMatchObject({ total_events: 30, next_event: null });
  expect(none.log).toBeUndefined();
});

it('[INC-4.3] a deleted log says so', async () => {
  await inTransaction(tenant.scope, (db) =>
    db.sessionEvent.deleteMany({ where: { sessionId: seeded.sessionUuids[2] } }),
  );
  const page = await small('read_log', { session: seeded.sessionIds[2] });
  expect(page).toMatchObject({ log_state: 'deleted_by_retention', next_event: null });
});
