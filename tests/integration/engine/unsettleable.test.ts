/** An end that the database refuses is tried a few times and then given up; nothing waits for it. */

import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startConversation } from '@/lib/conversations/manage-conversations';
import { deleteProject } from '@/lib/engine/chains/delete-project';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { SETTLE_TRIES } from '@/lib/engine/give-up';
import { settleAttempt, settleLostAttempt } from '@/lib/engine/settle';
import { listExpiredLeases, listUnsettled } from '@/lib/engine/sweep/data';
import { recordResult } from '@/lib/engine/take-result';
import { verifyAudit } from '@/lib/identity/audit/data';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { readChain } from '@/tests/support/cast/read-chain';
import {
  claimNext,
  eventsOf,
  play,
  resultOf,
  wantsHelp,
} from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { send, startOne } from './support/running';

const database = useTestDatabase();
const NOW = new Date('2026-11-23T12:00:00Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

let cast: Cast;

beforeEach(async () => {
  cast = await makeCast({}, NOW);
});
afterEach(() =>
  query(
    'drop trigger if exists refuse on ledger_entry; drop trigger if exists refuse on handoff; drop trigger if exists refuse on chain',
  ),
);

async function query(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** From now on the database refuses these writes, as it does a figure that no column holds. */
const refuse = (write: string) =>
  query(`create or replace function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'out of range' using errcode = '22003'; end $$;
    create trigger refuse before ${write} for each row execute function refuse()`);

async function endUnsettled(spec: AttemptSpec): Promise<void> {
  const played = { report: wantsHelp(), costUsd: 0.03 };
  const events = eventsOf(spec, played);
  await send(cast.runner, spec, events, NOW);
  await recordResult(cast.runner, spec.attemptId, resultOf(spec, events.length, played, NOW), NOW);
}

/** Until it is settled: how often, and after how many seconds, the sweep hands it to the worker. */
async function triesOf(attemptId: string, seconds = 200): Promise<number[]> {
  const scope = scopeOfSystem(cast.alice.organizationId);
  const tries: number[] = [];
  for (let second = 5; second <= seconds; second += 5) {
    const due = await listUnsettled(at(second - 5), at(second));
    if (!due.some(({ id }) => id === attemptId)) continue;
    tries.push(second);
    await settleAttempt(scope, attemptId, at(second));
  }
  return tries;
}

describe('[ENG-4.3] an end that cannot be written', () => {
  it('is tried five times at growing intervals, then given up with a reason and a notice', async () => {
    const chainId = await startOne(cast, NOW);
    const spec = await claimNext(cast.runner, NOW);
    await refuse('insert on ledger_entry');
    await endUnsettled(spec);
    const tries = await triesOf(spec.attemptId);
    expect(tries).toHaveLength(SETTLE_TRIES);
    const gaps = tries.slice(1).map((second, index) => second - (tries[index] ?? 0));
    expect(gaps).toEqual([5, 10, 20, 40]);

    const rows = await readChain(cast.alice, chainId);
    expect(rows.attempts).toMatchObject([{ status: 'ended', end: 'unknown', settleFailures: 5 }]);
    expect(rows.attempts[0]?.endText).toContain(
      'could not save the result of this attempt after 5 tries',
    );
    expect(rows.attempts[0]?.endText).toContain('Its cost could not be booked either.');
    expect(rows.sessions).toMatchObject([{ status: 'failed' }]);
    expect(rows.chain).toMatchObject({
      status: 'ended',
      outcome: 'needs_human',
      outcomeReason: 'SETTLEMENT_FAILED',
    });
    expect(rows.events.map(({ level, code }) => [level, code])).toContainEqual([
      'critical',
      'SETTLEMENT_FAILED',
    ]);
    expect(rows.decisions.at(-1)).toMatchObject({ reason: 'SETTLEMENT_FAILED' });
    const audit = await inTransaction(cast.alice, verifyAudit);
    expect(audit).toMatchObject({ firstBad: null, headMatches: true });
  });

  it('holds up neither the next chain nor the deletion of its project', async () => {
    await startOne(cast, NOW);
    const spec = await claimNext(cast.runner, NOW);
    await refuse('insert on ledger_entry');
    await endUnsettled(spec);
    await triesOf(spec.attemptId);
    await query('drop trigger refuse on ledger_entry');
    const next = await startOne(cast, at(700));
    await play(cast.runner, await claimNext(cast.runner, at(700)), { report: {} }, at(700));
    expect((await readChain(cast.alice, next)).chain).toMatchObject({ outcome: 'healthy' });
    await deleteProject(cast.alice, cast.projectSlug);
  });

  it('keeps what it spent where only the rest cannot be written', async () => {
    const chainId = await startOne(cast, NOW);
    const spec = await claimNext(cast.runner, NOW);
    await refuse('insert on handoff');
    await endUnsettled(spec);
    expect(await triesOf(spec.attemptId)).toHaveLength(SETTLE_TRIES);
    const rows = await readChain(cast.alice, chainId);
    expect(rows.ledger.map((entry) => Number(entry.costMicros))).toEqual([30_000]);
    expect(rows.usage.map((entry) => Number(entry.costMicros))).toEqual([30_000]);
    expect(rows.attempts[0]?.endText).toContain('Its cost is booked.');
    expect(rows.handoffs).toEqual([]);
  });

  it('is settled after all once the database takes it, before the last try', async () => {
    const chainId = await startOne(cast, NOW);
    const spec = await claimNext(cast.runner, NOW);
    await refuse('insert on handoff');
    await endUnsettled(spec);
    expect(await triesOf(spec.attemptId, 25)).toHaveLength(3);
    await query('drop trigger refuse on handoff');
    expect(await triesOf(spec.attemptId)).toHaveLength(1);
    const rows = await readChain(cast.alice, chainId);
    expect(rows.sessions.map(({ status }) => status)).toEqual(['escalated', 'queued']);
    expect(rows.events.map(({ code }) => code)).not.toContain('SETTLEMENT_FAILED');
  });

  it('ends as stopped where a person had asked for that', async () => {
    const chainId = await startOne(cast, NOW);
    const spec = await claimNext(cast.runner, NOW);
    await stopChain(cast.alice, chainId, NOW);
    await refuse('insert on ledger_entry');
    await endUnsettled(spec);
    await triesOf(spec.attemptId);
    expect((await readChain(cast.alice, chainId)).chain).toMatchObject({
      status: 'ended',
      outcome: 'stopped',
    });
  });

  it('ends its chain also where the end cannot be announced', async () => {
    const chainId = await startOne(cast, NOW);
    const spec = await claimNext(cast.runner, NOW);
    // Only an end that is announced writes a summary.
    await refuse('update of summary on chain');
    await inTransaction(cast.alice, (db) =>
      db.attempt.updateMany({
        where: { id: spec.attemptId },
        data: { start: { harness: 'gone' } },
      }),
    );
    await endUnsettled(spec);
    await triesOf(spec.attemptId);
    expect((await readChain(cast.alice, chainId)).chain).toMatchObject({
      status: 'ended',
      outcome: 'needs_human',
    });
  });

  it('of a lost runner is given up as well', async () => {
    const chainId = await startOne(cast, NOW);
    const spec = await claimNext(cast.runner, NOW);
    await send(cast.runner, spec, eventsOf(spec, { isSilent: true }), NOW);
    await refuse('insert on ledger_entry');
    const scope = scopeOfSystem(cast.alice.organizationId);
    const tries: string[] = [];
    for (let second = 120; second <= 300; second += 5) {
      const expired = await listExpiredLeases(at(second));
      if (!expired.some(({ id }) => id === spec.attemptId)) continue;
      const settled = settleLostAttempt(scope, spec.attemptId, at(second));
      tries.push(
        await settled.then(
          () => 'done',
          () => 'left',
        ),
      );
    }
    expect(tries).toEqual(['left', 'left', 'left', 'left', 'done']);
    expect((await readChain(cast.alice, chainId)).chain).toMatchObject({
      status: 'ended',
      outcomeReason: 'SETTLEMENT_FAILED',
    });
  });

  it('of a turn ends the turn', async () => {
    const asked = { project: cast.projectSlug, message: 'Is web well?', forceFresh: false };
    await startConversation(cast.alice, asked, NOW);
    const spec = await claimNext(cast.runner, NOW);
    await refuse('insert on ledger_entry');
    await endUnsettled(spec);
    expect(await triesOf(spec.attemptId)).toHaveLength(SETTLE_TRIES);
    const [session, attempt] = await inTransaction(cast.alice, async (db) => [
      await db.session.findFirstOrThrow({ where: { id: spec.sessionId } }),
      await db.attempt.findFirstOrThrow({ where: { id: spec.attemptId } }),
    ]);
    expect(session).toMatchObject({ status: 'failed', endedAt: expect.any(Date) });
    expect(attempt).toMatchObject({ status: 'ended', end: 'unknown' });
  });

  it('is not enqueued again once it was given up', async () => {
    await startOne(cast, NOW);
    const spec = await claimNext(cast.runner, NOW);
    await refuse('insert on ledger_entry');
    await endUnsettled(spec);
    await triesOf(spec.attemptId);
    expect(await listUnsettled(at(100_000), at(100_000))).toEqual([]);
  });
});
