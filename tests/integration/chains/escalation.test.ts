import { describe, expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { verifyAudit } from '@/lib/identity/audit/data';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { makeCast } from '@/tests/support/cast/organization';
import { checked, claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

describe('a chain through three tiers', () => {
  it('[RES-2.1] [RES-2.2] [RES-4.1] [RES-5.1] [RES-5.2] [HND-4.1] [HND-9.1] resumes each tier from the one before and keeps every cost apart', async () => {
    const cast = await makeCast();
    const { chainId } = await startChain(cast.alice, {
      projectId: cast.projectId,
      trigger: 'manual',
    });

    const first = await claimNext(cast.runner);
    expect(first.start).toMatchObject({ tier: 1, model: 'haiku', continuation: { mode: 'fresh' } });
    await play(cast.runner, first, {
      report: wantsHelp(),
      events: [checked('web', 'down')],
      costUsd: 0.03,
    });

    const second = await claimNext(cast.runner);
    expect(second.start).toMatchObject({
      tier: 2,
      model: 'sonnet',
      continuation: { mode: 'resume', parentCliSessionId: first.start.cliSessionId },
    });
    await play(cast.runner, second, { report: { ...wantsHelp(), resolved: false }, costUsd: 0.47 });

    const third = await claimNext(cast.runner);
    expect(third.start).toMatchObject({
      tier: 3,
      model: 'opus',
      continuation: { mode: 'resume', parentCliSessionId: second.start.cliSessionId },
    });
    await play(cast.runner, third, { report: { resolved: true }, costUsd: 2 });

    const rows = await inTransaction(cast.alice, async (db) => ({
      chain: await db.chain.findFirstOrThrow({ where: { id: chainId } }),
      sessions: await db.session.findMany({ where: { chainId }, orderBy: { number: 'asc' } }),
      ledger: await db.ledgerEntry.findMany({ where: { chainId }, orderBy: { tier: 'asc' } }),
      handoffs: await db.handoff.findMany({ where: { chainId } }),
      audit: await verifyAudit(db),
      usage: await db.dailyUsage.aggregate({ _sum: { costMicros: true } }),
    }));
    expect(rows.chain).toMatchObject({ status: 'ended', outcome: 'fixed', highestTier: 3 });
    expect(rows.sessions.map((session) => [session.tier, session.status])).toEqual([
      [1, 'escalated'],
      [2, 'escalated'],
      [3, 'completed'],
    ]);
    expect(rows.sessions.map((session) => session.parentSessionId)).toEqual([
      null,
      rows.sessions[0]?.id,
      rows.sessions[1]?.id,
    ]);
    expect(rows.ledger.map((entry) => Number(entry.costMicros))).toEqual([
      30_000, 470_000, 2_000_000,
    ]);
    expect(Number(rows.usage._sum.costMicros)).toBe(2_500_000);
    expect(rows.handoffs).toHaveLength(2);
    expect(rows.audit).toMatchObject({ firstBad: null, headMatches: true });
  });
});
