import { expect, it } from 'vitest';
import { getOrganizationPlots } from '@/lib/insight/analytics/get-plots';
import { getChain } from '@/lib/insight/chains/get-chain';
import { chainDetailSchema } from '@/lib/insight/chains/schema';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { Past } from '../analytics/support/rows';

useTestDatabase();

const at = new Date('2026-11-20T10:00:00Z');
const now = new Date('2026-11-21T14:58:00Z');
const model = 'claude-sonnet-5-5';

/** Writes the log of one process of a session. */
async function log(past: Past, sessionId: string, events: { kind: string; payload: object }[]) {
  const attemptId = await past.attempt(sessionId, at);
  await inTransaction(past.cast.alice, async (db) => {
    const before = await db.sessionEvent.count({ where: { sessionId } });
    await db.sessionEvent.createMany({
      data: events.map(({ kind, payload }, index) => ({
        organizationId: past.cast.alice.organizationId,
        sessionId,
        seq: before + index + 1,
        attemptId,
        attemptSeq: index + 1,
        kind,
        at,
        payload: { kind, ...payload },
      })),
    });
    await db.session.update({
      where: {
        organizationId_id: { organizationId: past.cast.alice.organizationId, id: sessionId },
      },
      data: { lastSeq: before + events.length },
    });
  });
}

const used = (messageId: string, read: number, write: number, output: number, changes = {}) => ({
  kind: 'request_usage',
  payload: {
    messageId,
    model,
    inputTokens: 0,
    outputTokens: output,
    cacheReadTokens: read,
    cacheWriteTokens: write,
    final: true,
    ...changes,
  },
});

const called = (toolUseId: string, command: string, isDenied = false) => [
  {
    kind: 'tool_call',
    payload: { messageId: 'm', toolUseId, tool: 'Bash', input: { command }, parentToolUseId: null },
  },
  { kind: 'tool_result', payload: { toolUseId, isError: false, denied: isDenied, content: '' } },
];

async function escalated(mechanism: 'resume' | 'handoff', isMetered = true) {
  const past = new Past(await makeCast({}, new Date('2026-11-01T00:00:00Z')));
  const chainId = await past.chain(at, { highestTier: 2 });
  const one = await past.session(chainId, at);
  const two = await past.session(chainId, at, { tier: 2, parentSessionId: one, mechanism });
  const usage = (...events: ReturnType<typeof used>[]) => (isMetered ? events : []);
  await log(past, one, [
    // Reported again as its answer grew: the last report counts.
    ...usage(used('a', 0, 4_000, 7, { final: false }), used('a', 0, 4_000, 100)),
    ...called('1', 'docker ps'),
    ...called('2', 'df -h'),
    ...called('3', 'systemctl restart web', true),
    ...usage(used('s', 0, 90_000, 900, { parentToolUseId: '2' }), used('b', 4_000, 2_000, 50)),
  ]);
  await log(past, two, [
    ...usage(used('c', 6_000, 1_000, 30)),
    ...called('4', ' docker  ps'),
    ...called('5', 'docker restart web'),
    ...usage(used('d', 7_000, 500, 20)),
  ]);
  const { alice, projectId } = past.cast;
  await inTransaction(alice, (db) =>
    db.handoff.create({
      data: {
        organizationId: alice.organizationId,
        projectId,
        chainId,
        sessionId: one,
        toTier: 2,
        source: 'built',
        payload: { text: 'x'.repeat(3_989) },
      },
    }),
  );
  return { past, chainId, one, two };
}

it('[PAG-2.1] a chain says what resuming was worth and which calls were repeated', async () => {
  const { past, chainId, one, two } = await escalated('resume');
  const chain = chainDetailSchema.parse(await getChain(past.cast.alice, encodeId('chn', chainId)));
  // Sonnet: $0.10 a million from the cache, $2.50 written to it, $10 said. Handoff: 1,000 tokens.
  const premium = 6_000 * 0.1 + 1_000 * 2.5 - 5_000 * 2.5 + (7_000 - 5_000) * 0.1;
  // One of two calls wasn't made again: half of 100 tokens said, 2,000 read without the cache, 5,000 from the cache.
  const saving = (100 * 10 + 2_000 * 2.5 + 5_000 * 0.1) / 2;
  expect(chain.escalations).toEqual([
    {
      fromSessionId: encodeId('ses', one),
      toSessionId: encodeId('ses', two),
      premiumUsd: premium / 1_000_000,
      premiumBasis: expect.stringContaining('Its first request read 7k tokens'),
      savingUsd: saving / 1_000_000,
      savingBasis: expect.stringContaining('1 of 2 tool calls of the tier before'),
      netSavingUsd: (saving - premium) / 1_000_000,
      toolCalls: 2,
      repeatedToolCalls: 1,
      repeated: [{ tool: 'Bash', text: 'docker ps', seq: 2, parentSeq: 3, isAfterChange: false }],
    },
  ]);
  const { escalations } = await getOrganizationPlots(
    past.cast.alice,
    { range: '7d', timeZone: 'UTC', project: null },
    now,
  );
  expect(escalations).toMatchObject({
    valued: 1,
    savingMicros: saving,
    premiumMicros: premium,
    resumed: { calls: 2, repeated: 1 },
  });
});

it.each([
  ['a handoff', 'handoff', true, 'It started from the handoff, so nothing was resumed.', 1],
  ['no reported usage', 'resume', false, 'Unknown: no usage was reported.', 1],
] as const)(
  '[PAG-2.1] with %s the worth is unknown and the repeated calls are not',
  async (_what, mechanism, isMetered, basis, repeated) => {
    const { past, chainId } = await escalated(mechanism, isMetered);
    const chain = await getChain(past.cast.alice, encodeId('chn', chainId));
    expect(chain.escalations[0]).toMatchObject({
      premiumUsd: null,
      premiumBasis: basis,
      savingUsd: null,
      savingBasis: basis,
      netSavingUsd: null,
      repeatedToolCalls: repeated,
    });
  },
);

it('[PAG-2.1] without its log an escalation has no figures', async () => {
  const { past, chainId, one } = await escalated('resume');
  await inTransaction(past.cast.alice, (db) =>
    db.sessionEvent.deleteMany({ where: { sessionId: one } }),
  );
  const chain = await getChain(past.cast.alice, encodeId('chn', chainId));
  expect(chain.escalations[0]).toMatchObject({
    premiumUsd: null,
    premiumBasis: 'Unknown: the log was deleted.',
    toolCalls: null,
    repeatedToolCalls: null,
    repeated: [],
  });
});
