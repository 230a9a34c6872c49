/**
 * Three tiers on one conversation, as both versions of the CLI printed them: 2.1.197 reports what
 * a process used itself, 2.1.330 the conversation's totals with its parents in them.
 */

import { expect, it } from 'vitest';
import { fixtureEvents } from '@/lib/agents/claude/fixtures/fixture';
import { recordHeartbeat } from '@/lib/engine/directives';
import { settleAttempt } from '@/lib/engine/settle';
import { recordResult } from '@/lib/engine/take-result';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { HarnessEvent, RunnerEvent } from '@/lib/protocol/events';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import {
  checked,
  claimNext,
  eventsOf,
  resultOf,
  testReport,
  wantsHelp,
} from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { send, startOne } from '../engine/support/running';

useTestDatabase();

/** The recorded events of each process, in order. */
function processesOf(version: string): HarnessEvent[][] {
  const processes: HarnessEvent[][] = [];
  for (const event of fixtureEvents(`three_tiers_${version}.jsonl`)) {
    if (event.kind === 'init') processes.push([]);
    processes.at(-1)?.push(event);
  }
  return processes;
}

/** Plays a recorded process: its ids and its report are those of this attempt. */
async function playRecorded(
  cast: Cast,
  spec: AttemptSpec,
  recorded: HarnessEvent[],
  last: boolean,
) {
  const { cliSessionId } = spec.start;
  const report = testReport(last ? { resolved: true } : wantsHelp());
  const events: RunnerEvent[] = [
    ...eventsOf(spec, { isSilent: true }).slice(0, 2),
    checked('web', last ? 'healthy' : 'down'),
    ...recorded.map((event): RunnerEvent => {
      if (event.kind === 'init') return { ...event, cliSessionId };
      return event.kind === 'result' ? { ...event, cliSessionId, structuredOutput: report } : event;
    }),
  ];
  await send(cast.runner, spec, events);
  const result = resultOf(spec, events.length, {}, new Date());
  await recordResult(cast.runner, spec.attemptId, result);
  await settleAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId);
}

it.each(['2.1.197', '2.1.330'])(
  '[ENG-4.2] [RES-5.3] each tier of %s is booked net of its parent, and the raw figures are kept',
  async (version) => {
    const processes = processesOf(version);
    const told = processes.map(
      (events) => events.findLast((event) => event.kind === 'result')?.totalCostUsd ?? 0,
    );
    const cast = await makeCast();
    const harnesses = TEST_CAPABILITIES.harnesses.map((harness) => ({ ...harness, version }));
    const capabilities = { ...TEST_CAPABILITIES, harnesses };
    await recordHeartbeat(cast.runner, { protocol: 1, capabilities, running: [] });
    const chainId = await startOne(cast);
    for (const [index, recorded] of processes.entries()) {
      const spec = await claimNext(cast.runner);
      expect(spec.start.continuation.mode).toBe(index === 0 ? 'fresh' : 'resume');
      await playRecorded(cast, spec, recorded, index === 2);
    }
    const { ledger, pointers, attempts, chain } = await readChain(cast.alice, chainId);
    expect(chain).toMatchObject({ status: 'ended', outcome: 'fixed', highestTier: 3 });
    const booked = ledger.map((line) => [
      line.tier,
      Number(line.inputTokens),
      Number(line.outputTokens),
    ]);
    expect(booked).toEqual([
      [1, 3_000, 300],
      [2, 5_000, 500],
      [3, 7_000, 700],
    ]);
    expect(ledger.every(({ isEstimate }) => !isEstimate)).toBe(true);
    const total = ledger.reduce((sum, line) => sum + Number(line.costMicros), 0) / 1_000_000;
    const all = version === '2.1.197' ? told.reduce((sum, cost) => sum + cost, 0) : told.at(-1);
    expect(total).toBeCloseTo(all ?? 0, 6);
    expect(attempts.map(({ reportedCostUsd }) => reportedCostUsd)).toEqual(told);
    expect(pointers.map(({ depth }) => depth)).toEqual([0, 1, 2]);
    expect(pointers.map(({ cumulativeTokens }) => cumulativeTokens)).toEqual([
      39_300, 104_800, 196_500,
    ]);
  },
);
