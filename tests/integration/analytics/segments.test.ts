import { describe, expect, it } from 'vitest';
import type { PlotView } from '@/app/_components/charts/plot-view';
import { type PlotSegment, segmentsOf } from '@/app/_components/charts/segments';
import { spendView } from '@/app/_components/charts/views/cost-views';
import { plotViews } from '@/app/_components/charts/views/plot-views';
import { chainFiltersOf, sessionFiltersOf } from '@/app/_components/lists/chain-filters';
import { rangeFilters, rangeLimits } from '@/app/_components/lists/ranged-list';
import { spendViewOf } from '@/app/_components/spend/spend-params';
import { getOrganizationPlots } from '@/lib/insight/analytics/get-plots';
import { browseChains } from '@/lib/insight/chains/list-chains';
import { browseSessions } from '@/lib/insight/sessions/list-sessions';
import { getSpend } from '@/lib/insight/spend/get-spend';
import { getSpendPlots } from '@/lib/insight/spend/get-spend-plots';
import { spanOf } from '@/lib/insight/spend/span';
import type { TenantScope } from '@/lib/platform/db/scope';
import { formatCost } from '@/lib/platform/format/cost';
import { makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { Past } from './support/rows';

useTestDatabase();

const now = new Date('2026-11-21T14:58:00Z');
const range = '7d';
const today = (clock: string) => new Date(`2026-11-21T${clock}:00Z`);
const daysAgo = (days: number, clock = '10:00') =>
  new Date(today(clock).getTime() - days * 86_400_000);

/** Chains of every kind of outcome and escalation, with what they cost. */
async function busyWeek(): Promise<Past> {
  const past = new Past(await makeCast({}, daysAgo(20)));
  const book = async (chainId: string, at: Date, tier: number, end = 'completed') => {
    const sessionId = await past.session(chainId, at, { tier });
    const attemptId = await past.attempt(sessionId, at, { end });
    const costMicros = BigInt(10_000 * tier + 1);
    await past.ledger({ sessionId, attemptId, chainId }, at, { costMicros, tier });
    return sessionId;
  };
  for (const day of [3, 2, 0]) {
    await past.chain(daysAgo(day, '01:00'));
    await past.chain(daysAgo(day, '02:00'));
    const fixed = { outcome: 'fixed', highestTier: 2, servicesAffected: ['web'] };
    const first = await past.chain(daysAgo(day, '03:00'), fixed);
    const one = await book(first, daysAgo(day, '03:00'), 1);
    await past.session(first, daysAgo(day, '03:01'), {
      tier: 2,
      parentSessionId: one,
      mechanism: 'resume',
    });
    await past.chain(daysAgo(day, '04:00'));
    const third = await past.chain(daysAgo(day, '05:00'), { ...fixed, highestTier: 3 });
    const a = await book(third, daysAgo(day, '05:00'), 1);
    const b = await past.session(third, daysAgo(day, '05:01'), {
      tier: 2,
      parentSessionId: a,
      mechanism: 'handoff',
    });
    await past.session(third, daysAgo(day, '05:02'), {
      tier: 3,
      parentSessionId: b,
      mechanism: 'handoff',
      isFallback: true,
    });
    const again = { outcome: 'needs_human', highestTier: 3, servicesAffected: ['web'] };
    await book(await past.chain(daysAgo(day, '06:00'), again), daysAgo(day, '06:00'), 3, 'killed');
    // Started manually at tier 2, and one that is still running: neither escalated.
    await past.chain(daysAgo(day, '07:00'), { startTier: 2, highestTier: 2, outcome: 'findings' });
  }
  await past.chain(today('14:00'), {
    status: 'running',
    outcome: null,
    endedAt: null,
    highestTier: 2,
  });
  return past;
}

/** What the page behind a link counts, as it reads its address. */
async function targetOf(scope: TenantScope, { href }: Pick<PlotSegment, 'href'>) {
  const url = new URL(href, 'https://tierwatch.example');
  const params = Object.fromEntries(url.searchParams);
  const limits = rangeLimits(rangeFilters(params, '7d'));
  const list = url.pathname.split('/').at(-1);
  if (list === 'chains') {
    const query = { ...chainFiltersOf(params), ...limits, limit: 100 };
    return (await browseChains(scope, query)).data.length;
  }
  if (list === 'sessions') {
    const query = { ...sessionFiltersOf(params), ...limits, limit: 100 };
    return (await browseSessions(scope, query)).total.count;
  }
  const { total } = await getSpend(scope, spendViewOf(params, undefined, now).query);
  return formatCost(total.micros);
}

async function viewsOf({ cast }: Past): Promise<Map<string, PlotView>> {
  const request = { range, timeZone: 'UTC', project: null } as const;
  const plots = await getOrganizationPlots(cast.alice, request, now);
  const place = { root: '/acme', orgRoot: '/acme', range, timeZone: 'UTC' } as const;
  return new Map(plotViews(place, plots).map((view) => [view.kind, view]));
}

describe('[PAG-2.1] every piece of a plot opens as many rows as it stands for', () => {
  it.each([
    ['outcomes', / (\d+)$/],
    ['escalation', / \d+%? of (\d+)$/],
    ['hops', / (\d+)$/],
    ['cost', / (\$[\d.]+)$/],
  ])('%s', async (kind, figure) => {
    const past = await busyWeek();
    const view = (await viewsOf(past)).get(kind);
    if (!view) throw new Error(`There is no plot of ${kind}.`);
    const segments = segmentsOf(view);
    expect(segments.length).toBeGreaterThan(2);
    for (const segment of segments) {
      const found = await targetOf(past.cast.alice, segment);
      if (kind === 'escalation') {
        // "40% of 5": the rows are the part, not the whole.
        const [share, whole] =
          segment.name
            .match(/(\d+)% of (\d+)$/)
            ?.slice(1)
            .map(Number) ?? [];
        expect(found, segment.name).toBe(Math.round(((share ?? 0) * (whole ?? 0)) / 100));
        continue;
      }
      expect(String(found), `${segment.name}: ${segment.href}`).toBe(
        segment.name.match(figure)?.[1],
      );
    }
  });

  it('spend, by time and tier', async () => {
    const past = await busyWeek();
    const span = spanOf('7d', now);
    const limits = { spanWords: 'the last 7 days', dayLimitMicros: null, monthLimitMicros: null };
    const plots = await getSpendPlots(past.cast.alice, { ...span, ...limits }, now);
    const spend = spendView(
      { root: '/acme', orgRoot: '/acme', range: span, timeZone: 'UTC', frame: plots.frame },
      plots.cost,
      { csvHref: '', budgetAbsence: '' },
    );
    const segments = segmentsOf(spend);
    const series = new Set(segments.map(({ name }) => name.split(' $')[0]));
    expect([...series]).toEqual(expect.arrayContaining(['Tier 1', 'Overhead']));
    for (const segment of segments) {
      expect(segment.name, segment.href).toMatch(
        new RegExp(`\\${await targetOf(past.cast.alice, segment)}$`),
      );
    }
  });
});
