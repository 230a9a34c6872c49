/** What a line of the ledger holds, for a tier of a chain and for a turn of a conversation. */

import { expect, it } from 'vitest';
import { AGENTS } from '@/lib/agents/registry';
import { startConversation } from '@/lib/conversations/manage-conversations';
import { settleAttempt } from '@/lib/engine/settle';
import { recordResult } from '@/lib/engine/take-result';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { RunnerEvent } from '@/lib/protocol/events';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, eventsOf, type Played, resultOf } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { send, startOne } from './support/running';

useTestDatabase();

const MODEL = 'claude-haiku-4-5-20251001';
const USED = {
  inputTokens: 1_001,
  outputTokens: 202,
  cacheReadTokens: 3_003,
  cacheWriteTokens: 404,
  costUsd: 0.0123456,
  contextWindow: 200_000,
};

/** Lets the process that is queued report these figures, and returns what is booked for it. */
async function book(cast: Cast, played: Played = {}) {
  const spec = await claimNext(cast.runner);
  const events = eventsOf(spec, { model: MODEL, ...played }).map(
    (event): RunnerEvent =>
      event.kind === 'result'
        ? { ...event, totalCostUsd: USED.costUsd, modelUsage: { [MODEL]: USED } }
        : event,
  );
  await send(cast.runner, spec, events);
  await recordResult(cast.runner, spec.attemptId, resultOf(spec, events.length, {}, new Date()));
  await settleAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId);
  return inTransaction(cast.alice, async (db) => {
    const attempt = await db.attempt.findFirstOrThrow({ where: { id: spec.attemptId } });
    const lines = await db.ledgerEntry.findMany({ where: { attemptId: attempt.id } });
    return { lines, attempt };
  });
}

const REPORTED = {
  model: MODEL,
  inputTokens: 1_001n,
  outputTokens: 202n,
  cacheReadTokens: 3_003n,
  cacheWriteTokens: 404n,
  costMicros: 12_346n,
  source: 'reported',
  isEstimate: false,
  priceTable: null,
  raw: USED,
};

it('[ENG-4.2] a tier is booked on its chain, as reported', async () => {
  const cast = await makeCast();
  const chainId = await startOne(cast);
  const { lines, attempt } = await book(cast);
  const { projectId } = cast;
  expect(lines).toEqual([
    expect.objectContaining({
      ...REPORTED,
      ...{ projectId, chainId, tier: 1, sessionId: attempt.sessionId },
    }),
  ]);
});

it('a turn is booked on no chain and no tier', async () => {
  const cast = await makeCast();
  const message = { project: cast.projectSlug, message: 'Is web well?', forceFresh: false };
  await startConversation(cast.alice, message);
  const { lines, attempt } = await book(cast);
  const { projectId } = cast;
  expect(lines).toEqual([
    expect.objectContaining({
      ...REPORTED,
      ...{ projectId, chainId: null, tier: 0, sessionId: attempt.sessionId },
    }),
  ]);
});

it('an estimate names the price list it was made with', async () => {
  const cast = await makeCast();
  await startOne(cast);
  const { lines } = await book(cast, { isSilent: true });
  expect(lines).toMatchObject([
    { model: MODEL, isEstimate: true, priceTable: AGENTS.claude.prices.measuredOn, raw: null },
  ]);
});
