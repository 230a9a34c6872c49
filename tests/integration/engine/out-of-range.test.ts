/** What a hostile or broken runner reports about cost and tokens holds up nothing. */

import { beforeEach, describe, expect, it } from 'vitest';
import {
  events as postEvents,
  takeAttemptResult as postResult,
} from '@/app/api/runner/v1/attempt-routes';
import { deleteProject } from '@/lib/engine/chains/delete-project';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, eventsOf, resultOf, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { startOne } from './support/running';

useTestDatabase();
let cast: Cast;
let chainId: string;
let spec: AttemptSpec;

beforeEach(async () => {
  cast = await makeCast();
  chainId = await startOne(cast);
  spec = await claimNext(cast.runner);
});

/** As it stands in the JSON of a body. No window has 0 tokens, so 0 is out of range as well. */
const POISONS = ['1e300', '-1', '1e400', '9007199254740993', '"NaN"', '0'];

type Change = (text: string) => string;
const field = (name: string, value: string): Change => {
  const written = new RegExp(`"${name}":[^,}]+`, 'g');
  return (text) => text.replace(written, `"${name}":${value}`);
};

/** Sends everything by the routes, with some figures of the bodies replaced. */
async function endWith(...changes: Change[]): Promise<number[]> {
  const events = eventsOf(spec, { report: wantsHelp(), costUsd: 0.03 }).map((event, index) => ({
    seq: index + 1,
    at: new Date().toISOString(),
    event,
  }));
  const before = events.slice(0, 4);
  const batches = [{ attemptId: spec.attemptId, fence: spec.fence, events: before }];
  const result = resultOf(spec, events.length, {}, new Date());
  const poisoned = (body: object) =>
    changes.reduce((text, change) => change(text), JSON.stringify(body));
  const send = (path: string, body: object) =>
    new Request(`http://127.0.0.1/api/runner/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cast.runnerKey}`, 'content-type': 'application/json' },
      body: poisoned(body),
    });
  const stored = await postEvents(send('events', { protocol: 1, batches }), {
    params: Promise.resolve({}),
  });
  const ended = await postResult(
    send(`attempts/${spec.attemptId}/result`, { ...result, events: events.slice(4) }),
    { params: Promise.resolve({ attemptId: spec.attemptId }) },
  );
  return [stored.status, ended.status];
}

describe('[ENG-4.3] figures out of range', () => {
  it.each(POISONS)(
    'everywhere at once, as %s: the chain continues to its next tier',
    async (value) => {
      const figures = [
        ...['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'contextWindow'],
        ...['costUsd', 'totalCostUsd', 'numTurns', 'durationMs', 'durationApiMs'],
      ];
      expect(await endWith(...figures.map((name) => field(name, value)))).toEqual([200, 200]);
      const rows = await readChain(cast.alice, chainId);
      expect(rows.attempts[0]).toMatchObject({ status: 'ended', end: 'completed' });
      expect(rows.attempts[0]?.settledAt).not.toBeNull();
      expect(rows.sessions.map(({ tier, status }) => [tier, status])).toEqual([
        [1, 'escalated'],
        [2, 'queued'],
      ]);
      const notice = rows.events.find(({ code }) => code === 'FIGURE_OUT_OF_RANGE');
      expect(notice?.level).toBe('warning');
      expect((await claimNext(cast.runner)).start.tier).toBe(2);
    },
  );

  it('a cost is estimated from the tokens, marked, and named by what was reported', async () => {
    await endWith(field('costUsd', '1e300'), field('totalCostUsd', '1e300'));
    const rows = await readChain(cast.alice, chainId);
    expect(rows.ledger).toMatchObject([{ inputTokens: 1_000n, isEstimate: true }]);
    // 1,000 input tokens of a haiku at a dollar for a million.
    expect(rows.ledger.map((entry) => Number(entry.costMicros))).toEqual([1_000]);
    const notice = rows.events.find(({ code }) => code === 'FIGURE_OUT_OF_RANGE');
    expect(notice?.message).toContain('totalCostUsd 1e+300');
    expect(notice?.message).toContain('modelUsage.claude-haiku-test.costUsd 1e+300');
  });

  it("of a model's tokens leave what the stream showed, marked", async () => {
    const totals = (text: string) =>
      text.replace(
        /"modelUsage":\{"([^"]+)":\{"inputTokens":1000/,
        '"modelUsage":{"$1":{"inputTokens":1e300',
      );
    await endWith(totals);
    const rows = await readChain(cast.alice, chainId);
    expect(rows.ledger).toMatchObject([{ inputTokens: 1_000n, isEstimate: true }]);
    expect(rows.chain.status).toBe('waiting');
  });

  it('the largest figures within the bounds are booked as they are, chain after chain', async () => {
    const largest = [field('costUsd', '100000'), field('totalCostUsd', '100000')];
    const tokens = (text: string) =>
      text.replace(
        /"modelUsage":\{"([^"]+)":\{"inputTokens":1000/,
        '"modelUsage":{"$1":{"inputTokens":1000000000000',
      );
    expect(await endWith(...largest, tokens, field('numTurns', '1000000'))).toEqual([200, 200]);
    const rows = await readChain(cast.alice, chainId);
    expect(rows.ledger).toMatchObject([{ costMicros: 100_000_000_000n, isEstimate: false }]);
    expect(rows.pointers).toMatchObject([{ cumulativeTokens: 2_147_483_647 }]);
    expect(rows.sessions).toHaveLength(2);
  });

  it('a code that no process ends with counts as none', async () => {
    const code = (text: string) => text.replace('"exit":{"code":0', '"exit":{"code":1e300');
    expect(await endWith(code)).toEqual([200, 200]);
    const { attempts } = await readChain(cast.alice, chainId);
    expect(attempts[0]).toMatchObject({ status: 'ended', exitCode: null });
  });

  it('keep no project: it can be deleted once its chain is over', async () => {
    await endWith(field('costUsd', '1e300'), field('wanted', 'false'));
    expect((await readChain(cast.alice, chainId)).chain.status).toBe('ended');
    await deleteProject(cast.alice, cast.projectSlug);
  });
});
