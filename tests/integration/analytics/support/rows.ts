/** Rows of a project's past, written as they would stand after the engine had run. */
import type { Prisma } from '@/generated/prisma/client';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { Cast } from '@/tests/support/cast/organization';

type Changes<Row> = Partial<Row>;

/** A rows' id carries its time, as one made then would. */
export function idAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  const tail = crypto.randomUUID();
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${tail.slice(15)}`;
}

export class Past {
  private number = 0;

  constructor(readonly cast: Cast) {}

  /** An ended chain that was started then. */
  async chain(at: Date, changes: Changes<Prisma.ChainUncheckedCreateInput> = {}): Promise<string> {
    this.number += 1;
    const row = {
      id: idAt(at),
      organizationId: this.cast.alice.organizationId,
      projectId: this.cast.projectId,
      number: this.number,
      trigger: 'schedule',
      status: 'ended',
      outcome: 'healthy',
      projectVersion: 1,
      highestTier: 1,
      createdAt: at,
      startedAt: at,
      endedAt: new Date(at.getTime() + 60_000),
      ...changes,
    };
    await inTransaction(this.cast.alice, (db) => db.chain.create({ data: row }));
    return row.id;
  }

  async session(
    chainId: string,
    at: Date,
    changes: Changes<Prisma.SessionUncheckedCreateInput> = {},
  ): Promise<string> {
    this.number += 1;
    const row = {
      id: idAt(at),
      organizationId: this.cast.alice.organizationId,
      projectId: this.cast.projectId,
      chainId,
      number: this.number,
      tier: 1,
      status: 'completed',
      model: 'haiku',
      projectVersion: 1,
      mechanism: 'fresh',
      createdAt: at,
      startedAt: at,
      endedAt: at,
      ...changes,
    };
    await inTransaction(this.cast.alice, (db) => db.session.create({ data: row }));
    return row.id;
  }

  /** An ended process of the session that started then and took a minute. */
  async attempt(
    sessionId: string,
    at: Date,
    changes: Changes<Prisma.AttemptUncheckedCreateInput> = {},
  ): Promise<string> {
    const { alice, projectId, runner } = this.cast;
    return inTransaction(alice, async (db) => {
      const pool = await db.runnerPool.findFirstOrThrow();
      const row = await db.attempt.create({
        data: {
          id: idAt(at),
          organizationId: alice.organizationId,
          projectId,
          sessionId,
          number: 1,
          status: 'ended',
          end: 'completed',
          poolId: pool.id,
          runnerId: runner.actor.id,
          queuedAt: at,
          startedAt: at,
          endedAt: new Date(at.getTime() + 60_000),
          ...changes,
        },
      });
      return row.id;
    });
  }

  async decision(sessionId: string, chainId: string, verdict: string, reason: string) {
    const { alice, projectId } = this.cast;
    await inTransaction(alice, (db) =>
      db.decision.create({
        data: {
          organizationId: alice.organizationId,
          projectId,
          chainId,
          sessionId,
          verdict,
          reason,
          kind: 'continuation',
          sentence: '',
          facts: {},
        },
      }),
    );
  }

  /** What the attempt was booked with; the rollup by day moves as it does in the engine. */
  async ledger(
    attempt: { sessionId: string; attemptId: string; chainId: string },
    at: Date,
    changes: Changes<Prisma.LedgerEntryUncheckedCreateInput> & { costMicros: bigint },
  ): Promise<void> {
    const { alice, projectId } = this.cast;
    const entry = {
      id: idAt(at),
      organizationId: alice.organizationId,
      projectId,
      ...attempt,
      tier: 1,
      model: 'haiku',
      inputTokens: 900n,
      outputTokens: 100n,
      cacheReadTokens: 0n,
      cacheWriteTokens: 0n,
      bookedAt: at,
      source: changes.isEstimate ? 'estimated' : 'reported',
      ...changes,
    };
    const day = new Date(`${at.toISOString().slice(0, 10)}T00:00:00Z`);
    const { organizationId, tier, model, costMicros } = entry;
    const key = { organizationId, projectId, day, tier, model };
    await inTransaction(alice, async (db) => {
      await db.ledgerEntry.create({ data: entry });
      await db.dailyUsage.upsert({
        where: { organizationId_projectId_day_tier_model: key },
        create: { ...key, costMicros, tokens: 1_000n },
        update: { costMicros: { increment: costMicros }, tokens: { increment: 1_000n } },
      });
    });
  }
}
