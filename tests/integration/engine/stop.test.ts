import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { claimAttempt } from '@/lib/engine/claim';
import { recordHeartbeat, waitForDirectives } from '@/lib/engine/directives';
import { settleAttempt } from '@/lib/engine/settle';
import { recordResult } from '@/lib/engine/take-result';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { liveHub } from '@/lib/platform/live/hub';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import {
  claimNext,
  eventsOf,
  nextAttemptId,
  play,
  resultOf,
  wantsHelp,
} from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { command, listenAsRunner, refusalOf, send, startOne } from './support/running';

useTestDatabase();
afterAll(() => liveHub().close());

let cast: Cast;
let chainId: string;

beforeEach(async () => {
  cast = await makeCast();
  chainId = await startOne(cast);
});

const actions = () =>
  inTransaction(cast.alice, async (db) =>
    (await db.auditLog.findMany({ orderBy: { seq: 'asc' } })).map((entry) => entry.action),
  );

describe('stopping a chain', () => {
  it('before it was claimed ends it at once, and nothing starts', async () => {
    const attemptId = await nextAttemptId(cast.runner);
    await stopChain(cast.alice, chainId);
    const rows = await readChain(cast.alice, chainId);
    expect(rows.chain).toMatchObject({ status: 'ended', outcome: 'stopped' });
    expect(rows.chain.statusText).toMatch(/^Stopped by .+ before it started\.$/);
    expect(rows.sessions[0]).toMatchObject({ status: 'stopped' });
    expect(rows.events.map((event) => event.code)).toEqual(['STOPPED']);
    expect(await refusalOf(claimAttempt(cast.runner, attemptId))).toBe('not_queued');
    expect(await refusalOf(stopChain(cast.alice, chainId))).toBe('conflict');
    expect((await actions()).slice(-2)).toEqual(['chain.stop_requested', 'chain.ended']);
  });

  it('[SAS-3.2] while it runs tells the waiting runner, and keeps the cost', async () => {
    const spec = await claimNext(cast.runner);
    await send(cast.runner, spec, eventsOf(spec, { isSilent: true }));
    const listening = await listenAsRunner(cast.runner);
    const waiting = waitForDirectives(cast.runner, new AbortController().signal);
    await stopChain(cast.alice, chainId);
    const stop = { kind: 'stop', attemptId: spec.attemptId, reason: 'operator' };
    await listening.isWoken();
    expect((await waiting).directives).toEqual([stop]);
    const running = [{ attemptId: spec.attemptId, fence: spec.fence }];
    const beat = { protocol: 1 as const, capabilities: TEST_CAPABILITIES, running };
    expect((await recordHeartbeat(cast.runner, beat)).directives).toEqual([stop]);
    expect((await readChain(cast.alice, chainId)).chain.status).toBe('stopping');

    const result = resultOf(spec, 4, {}, new Date());
    await recordResult(cast.runner, spec.attemptId, {
      ...result,
      stopCause: 'operator',
      exit: { code: null, signal: 'SIGINT' },
    });
    await settleAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId);
    const rows = await readChain(cast.alice, chainId);
    expect(rows.chain).toMatchObject({ status: 'ended', outcome: 'stopped' });
    expect(rows.sessions[0]).toMatchObject({ status: 'stopped' });
    expect(rows.attempts).toHaveLength(1);
    expect(rows.ledger.map((entry) => entry.isEstimate)).toEqual([true]);
    expect(Number(rows.ledger[0]?.costMicros)).toBeGreaterThan(0);
  });

  it.each([
    { ends: 'without a result', isSilent: true, source: 'estimated' },
    {
      ends: 'with a result that leaves the request out',
      isSilent: false,
      source: 'partly_estimated',
    },
  ])(
    '[ENG-4.1] in the middle of a request, $ends, books that request as an estimate',
    async (row) => {
      const spec = await claimNext(cast.runner);
      const played = {
        isSilent: row.isSilent,
        report: null,
        events: command('docker ps'),
        costUsd: 0.01,
      };
      const events = eventsOf(spec, played).map((event) =>
        event.kind === 'result'
          ? { ...event, isError: true, terminalReason: 'aborted_streaming' }
          : event,
      );
      await send(cast.runner, spec, events);
      await stopChain(cast.alice, chainId);
      await recordResult(cast.runner, spec.attemptId, {
        ...resultOf(spec, events.length, {}, new Date()),
        stopCause: 'operator',
        exit: { code: null, signal: 'SIGINT' },
      });
      await settleAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId);
      const { ledger, chain } = await readChain(cast.alice, chainId);
      expect(chain).toMatchObject({ status: 'ended', outcome: 'stopped' });
      // The 1,000 tokens of the first request are read from the cache by the one in flight.
      expect(ledger).toMatchObject([
        { inputTokens: 1_000n, cacheReadTokens: 1_000n, isEstimate: true, source: row.source },
      ]);
      const before = row.isSilent ? 1_000 : 10_000;
      expect(Number(ledger[0]?.costMicros)).toBe(before + 100);
    },
  );

  it('of an attempt that completes anyway keeps its report and starts no further tier', async () => {
    const spec = await claimNext(cast.runner);
    await stopChain(cast.alice, chainId);
    await play(cast.runner, spec, { report: wantsHelp(), costUsd: 0.03 });
    const rows = await readChain(cast.alice, chainId);
    expect(rows.chain).toMatchObject({ status: 'ended', outcome: 'stopped' });
    expect(rows.sessions).toHaveLength(1);
    expect(rows.sessions[0]).toMatchObject({
      status: 'completed',
      report: { summary: 'web is down.' },
    });
    expect(rows.attempts.map((attempt) => attempt.end)).toEqual(['completed']);
    expect(rows.handoffs).toEqual([]);
    expect(rows.ledger.map((entry) => Number(entry.costMicros))).toEqual([30_000]);
  });

  it('of an attempt that crashes meanwhile starts no second try', async () => {
    const spec = await claimNext(cast.runner);
    await stopChain(cast.alice, chainId);
    await play(cast.runner, spec, {
      isSilent: true,
      result: { exit: { code: null, signal: 'SIGSEGV' } },
    });
    const rows = await readChain(cast.alice, chainId);
    expect(rows.chain).toMatchObject({ status: 'ended', outcome: 'stopped' });
    expect(rows.sessions[0]).toMatchObject({ status: 'stopped' });
    expect(rows.attempts).toHaveLength(1);
  });

  it('asked for twice is asked for once', async () => {
    const spec = await claimNext(cast.runner);
    const later = new Date(Date.now() + 5_000);
    await stopChain(cast.alice, chainId);
    const { attempts } = await readChain(cast.alice, chainId);
    await stopChain(cast.alice, chainId, later);
    expect((await readChain(cast.alice, chainId)).attempts).toEqual(attempts);
    expect((await actions()).filter((action) => action === 'chain.stop_requested')).toHaveLength(1);
    expect(spec.fence).toBe(1);
  });

  it('[SAS-3.2] and claiming it at the same moment never leaves a run that nobody stops', async () => {
    const attemptId = await nextAttemptId(cast.runner);
    const [claimed] = await Promise.all([
      refusalOf(claimAttempt(cast.runner, attemptId)),
      stopChain(cast.alice, chainId),
    ]);
    const rows = await readChain(cast.alice, chainId);
    if (claimed === 'none') {
      expect(rows.chain.status).toBe('stopping');
      expect(rows.attempts[0]).toMatchObject({ status: 'stopping', stopCause: 'operator' });
    } else {
      expect(rows.chain).toMatchObject({ status: 'ended', outcome: 'stopped' });
      expect(rows.attempts[0]).toMatchObject({ status: 'ended', fence: 0 });
    }
  });

  // Each round meets the settlement at another moment.
  it.each(Array.from({ length: 12 }, (_, round) => round))(
    '[SAS-3.2] meets a settlement under way, and leaves nothing of it running: %i',
    async (round) => {
      const spec = await claimNext(cast.runner);
      const played = { report: wantsHelp() };
      const events = eventsOf(spec, played);
      await send(cast.runner, spec, events);
      const result = resultOf(spec, events.length, played, new Date());
      await recordResult(cast.runner, spec.attemptId, result);
      const system = scopeOfSystem(cast.alice.organizationId);
      const settled = settleAttempt(system, spec.attemptId);
      await setTimeout(round);
      await Promise.all([settled, stopChain(cast.alice, chainId)]);
      const rows = await readChain(cast.alice, chainId);
      expect(rows.chain).toMatchObject({ status: 'ended', outcome: 'stopped' });
      expect(rows.attempts.every((attempt) => attempt.status === 'ended')).toBe(true);
      expect(rows.sessions.every((session) => session.endedAt !== null)).toBe(true);
    },
  );

  it('[SAS-1.3] of another organization is not there to be stopped', async () => {
    const stranger = await makeCast();
    expect(await refusalOf(stopChain(stranger.alice, chainId))).toBe('not_found');
  });
});
