import { Prisma } from '@/generated/prisma/client';
import { executeRaw } from '@/lib/db/raw';
import type { TenantDb } from '@/lib/db/tenant-db';
import type { OrganizationId } from '@/lib/tenancy/scope';

/** Micro-dollars spent; a day and a month are UTC and the project's. */
export interface Spending {
  chainMicros: number;
  dayMicros: number;
  monthMicros: number;
}

export async function getSpending(
  db: TenantDb,
  projectId: string,
  chainId: string | null,
  now: Date,
): Promise<Spending> {
  const day = utcDay(now);
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const chain = chainId
    ? await db.ledgerEntry.aggregate({ where: { chainId }, _sum: { costMicros: true } })
    : null;
  const today = await db.dailyUsage.aggregate({
    where: { projectId, day },
    _sum: { costMicros: true },
  });
  const thisMonth = await db.dailyUsage.aggregate({
    where: { projectId, day: { gte: month } },
    _sum: { costMicros: true },
  });
  return {
    chainMicros: Number(chain?._sum.costMicros ?? 0),
    dayMicros: Number(today._sum.costMicros ?? 0),
    monthMicros: Number(thisMonth._sum.costMicros ?? 0),
  };
}

export interface NewLedgerEntry {
  projectId: string;
  chainId: string;
  sessionId: string;
  attemptId: string;
  tier: number;
  model: string;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicros: number;
  isEstimate: boolean;
  priceTable: string | null;
  raw: unknown;
}

/** Books an attempt once; its rollup by day moves in the same transaction. */
export async function bookLedger(
  db: TenantDb,
  organizationId: OrganizationId,
  entries: readonly NewLedgerEntry[],
  now: Date,
): Promise<void> {
  for (const entry of entries) {
    await db.ledgerEntry.create({
      data: {
        organizationId,
        ...entry,
        raw: entry.raw === null ? Prisma.DbNull : (entry.raw as Prisma.InputJsonValue),
        bookedAt: now,
      },
    });
    const tokens =
      entry.inputTokens + entry.outputTokens + entry.cacheReadTokens + entry.cacheWriteTokens;
    await executeRaw(
      db,
      Prisma.sql`insert into daily_usage (organization_id, project_id, day, tier, model, cost_micros, tokens)
        values (${organizationId}::uuid, ${entry.projectId}::uuid, ${utcDay(now)}::date, ${entry.tier}, ${entry.model}, ${entry.costMicros}, ${tokens})
        on conflict (organization_id, project_id, day, tier, model)
        do update set cost_micros = daily_usage.cost_micros + excluded.cost_micros, tokens = daily_usage.tokens + excluded.tokens`,
    );
  }
}

function utcDay(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
}
