/** However often and by how many an end is reported and settled, it counts once. */

import { describe, expect, it } from 'vitest';
import { settleAttempt } from '@/lib/engine/settle';
import { recordResult } from '@/lib/engine/take-result';
import { verifyAudit } from '@/lib/identity/audit/data';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import { claimNext, eventsOf, resultOf, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { send, startOne } from './support/running';

useTestDatabase();

const played = { report: wantsHelp(), costUsd: 0.03 };

describe('an end', () => {
  it('[SAS-3.2] settled by five workers at once leads to one next session and one booking', async () => {
    const cast = await makeCast();
    const chainId = await startOne(cast);
    const spec = await claimNext(cast.runner);
    const events = eventsOf(spec, played);
    await send(cast.runner, spec, events);
    await recordResult(
      cast.runner,
      spec.attemptId,
      resultOf(spec, events.length, played, new Date()),
    );
    const scope = scopeOfSystem(cast.alice.organizationId);
    await Promise.all(Array.from({ length: 5 }, () => settleAttempt(scope, spec.attemptId)));
    await settleAttempt(scope, spec.attemptId);
    const rows = await readChain(cast.alice, chainId);
    expect(rows.sessions.map((session) => session.tier)).toEqual([1, 2]);
    expect(rows.attempts).toHaveLength(2);
    expect(rows.ledger.map((entry) => Number(entry.costMicros))).toEqual([30_000]);
    expect(rows.usage.map((usage) => Number(usage.costMicros))).toEqual([30_000]);
    expect([rows.handoffs.length, rows.pointers.length]).toEqual([1, 1]);
    expect(rows.decisions.map((decision) => decision.kind)).toEqual(['continuation', 'escalation']);
    expect(rows.events.filter((event) => event.code === 'ESCALATED')).toHaveLength(1);
    const audit = await inTransaction(cast.alice, verifyAudit);
    expect(audit).toMatchObject({ firstBad: null, headMatches: true });
  });

  it('[SAS-3.4] sent twice is stored once, and the second answer is the first', async () => {
    const cast = await makeCast();
    const chainId = await startOne(cast);
    const spec = await claimNext(cast.runner);
    const events = eventsOf(spec, played);
    await send(cast.runner, spec, events);
    const first = resultOf(spec, events.length, played, new Date());
    const changed = { ...first, exit: { code: 9, signal: null }, stderrTail: 'other' };
    const answers = await Promise.all([
      recordResult(cast.runner, spec.attemptId, first),
      recordResult(cast.runner, spec.attemptId, first),
    ]);
    await settleAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId);
    answers.push(await recordResult(cast.runner, spec.attemptId, changed));
    await settleAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId);
    const stored = { decides: true, nextAttemptId: null };
    expect(answers).toEqual([stored, stored, stored]);
    const rows = await readChain(cast.alice, chainId);
    expect(rows.attempts[0]).toMatchObject({ exitCode: 0, isResultLate: false });
    expect(rows.ledger).toHaveLength(1);
    expect(rows.sessions).toHaveLength(2);
  });

  it('[SAS-3.4] counts only once all events before it are stored', async () => {
    const cast = await makeCast();
    await startOne(cast);
    const spec = await claimNext(cast.runner);
    const events = eventsOf(spec, played);
    await send(cast.runner, spec, events.slice(0, 2));
    const result = resultOf(spec, events.length, played, new Date());
    await expect(recordResult(cast.runner, spec.attemptId, result)).rejects.toMatchObject({
      details: { expectedSeq: 3 },
    });
    await settleAttempt(scopeOfSystem(cast.alice.organizationId), spec.attemptId);
    await send(cast.runner, spec, events.slice(2));
    expect(await recordResult(cast.runner, spec.attemptId, result)).toEqual({
      decides: true,
      nextAttemptId: null,
    });
  });
});
