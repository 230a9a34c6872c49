import { describe, expect, it } from 'vitest';
import { getOrganizationPlots, getProjectPlots } from '@/lib/insight/analytics/get-plots';
import { NotFoundError } from '@/lib/platform/errors';
import { createProject } from '@/lib/projects/manage-project';

import { makeCast, testConfig } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { Past } from './support/rows';

useTestDatabase();

const now = new Date('2026-11-21T14:58:00Z');
const request = { range: '7d', timeZone: 'UTC', project: null } as const;
/** Of the 21st, the current bucket of the seven, at index 6. */
const today = (clock: string) => new Date(`2026-11-21T${clock}:00Z`);
const daysAgo = (days: number, clock = '10:00') =>
  new Date(today(clock).getTime() - days * 86_400_000);

describe('[SAS-4.1] the plots count the rows that are there', () => {
  it('chains by outcome and the escalation rate, in the bucket of their start', async () => {
    const past = new Past(await makeCast({}, daysAgo(20)));
    await past.chain(daysAgo(2), { outcome: 'healthy' });
    await past.chain(daysAgo(2, '11:00'), { outcome: 'fixed', highestTier: 2 });
    await past.chain(daysAgo(2, '12:00'), { outcome: 'needs_human', highestTier: 3 });
    await past.chain(today('08:00'), { outcome: 'skipped', highestTier: 0 });
    // Started manually at tier 2: no escalation brought it there.
    await past.chain(today('09:00'), { outcome: 'findings', startTier: 2, highestTier: 2 });
    await past.chain(daysAgo(7), { outcome: 'failed' });
    await past.chain(today('14:00'), { status: 'running', outcome: null, endedAt: null });

    const { outcomes, escalation } = await getOrganizationPlots(past.cast.alice, request, now);
    expect(outcomes.outcomes).toEqual(['needs_human', 'findings', 'skipped', 'fixed', 'healthy']);
    const none = { needs_human: 0, findings: 0, skipped: 0, fixed: 0, healthy: 0 };
    expect(outcomes.points).toEqual([
      ...[null, null, null, null],
      { ...none, needs_human: 1, fixed: 1, healthy: 1 },
      null,
      { ...none, findings: 1, skipped: 1 },
    ]);
    expect(outcomes.caption).toBe(
      '5 chains in the last 7 days: 1 healthy, 1 fixed, 1 skipped, 1 findings, no action, 1 needs a human.',
    );
    expect(escalation.points[4]).toEqual({
      toTier2: { part: 2, whole: 3 },
      toTier3: { part: 1, whole: 2 },
    });
    expect(escalation.points[6]).toEqual({
      toTier2: { part: 0, whole: 0 },
      toTier3: { part: 0, whole: 1 },
    });
  });

  it('on the calendar of the reader', async () => {
    const past = new Past(await makeCast({}, daysAgo(20)));
    await past.chain(new Date('2026-11-20T23:30:00Z'));
    const at = async (timeZone: string) => {
      const { outcomes } = await getOrganizationPlots(
        past.cast.alice,
        { ...request, timeZone },
        now,
      );
      return outcomes.points.findIndex((point) => point !== null);
    };
    expect(await at('UTC')).toBe(5);
    expect(await at('Europe/Berlin')).toBe(6);
  });

  it('cost by tier at its booking, with overhead apart', async () => {
    const past = new Past(await makeCast({}, daysAgo(20)));
    const chainId = await past.chain(daysAgo(1));
    const one = await past.session(chainId, daysAgo(1));
    const two = await past.session(chainId, daysAgo(1), { tier: 2, parentSessionId: one });
    const book = async (
      sessionId: string,
      costMicros: bigint,
      tier: number,
      attempt: Parameters<Past['attempt']>[2] = {},
      isEstimate = false,
    ) => {
      const attemptId = await past.attempt(sessionId, daysAgo(1), attempt);
      const entry = { costMicros, tier, isEstimate };
      await past.ledger({ sessionId, attemptId, chainId }, daysAgo(1, '10:01'), entry);
    };
    await book(one, 30_000n, 1);
    await book(two, 40_000n, 2, { end: 'killed' }, true);
    await book(two, 470_000n, 2, { number: 2 });

    const plots = await getProjectPlots(
      past.cast.alice,
      { range: '7d', timeZone: 'UTC', project: 'checkout', dayLimitMicros: 10_000_000 },
      now,
    );
    expect(plots.cost.points[5]).toEqual({
      tier1: 30_000,
      tier2: 470_000,
      tier3: 0,
      ask: 0,
      overhead: 40_000,
      estimate: 40_000,
    });
    expect(plots.cost.points[6]).toBeNull();
    expect(plots.cost.limitMicros).toBe(10_000_000);
    expect(plots.cost.caption).toBe(
      '$0.54 in the last 7 days: 87% by tier 2, $0.04 overhead. $0.04 is estimated.',
    );
  });

  it('resume against handoff with the reasons, a fallback counted as handoff', async () => {
    const past = new Past(await makeCast({}, daysAgo(20)));
    const chainId = await past.chain(daysAgo(1), { highestTier: 3 });
    const hop = async (mechanism: string, reason: string, isFallback = false) => {
      const parentSessionId = await past.session(chainId, daysAgo(1));
      const changes = { tier: 2, parentSessionId, mechanism, isFallback };
      const sessionId = await past.session(chainId, daysAgo(1), changes);
      if (isFallback) await past.decision(sessionId, chainId, 'resume', 'OK_RESUME');
      await past.decision(sessionId, chainId, mechanism, reason);
    };
    await hop('resume', 'OK_RESUME');
    await hop('handoff', 'CONTEXT_PRESSURE');
    await hop('handoff', 'CONTEXT_PRESSURE');
    await hop('handoff', 'RESUME_REJECTED', true);

    const { hops } = await getOrganizationPlots(past.cast.alice, request, now);
    expect(hops.points[5]).toEqual({ resumed: 1, handoff: 2, fallback: 1 });
    expect(hops.reasons.map(({ code, count }) => [code, count])).toEqual([
      ['CONTEXT_PRESSURE', 2],
      ['RESUME_REJECTED', 1],
    ]);
  });
});

describe('[PAG-2.1] the plots of one project', () => {
  it('hold its rows alone, on every plot', async () => {
    const past = new Past(await makeCast({}, daysAgo(20)));
    const shop = await createProject(past.cast.alice, {
      name: 'Shop',
      slug: 'shop',
      config: testConfig(),
    });
    const other = new Past({ ...past.cast, projectId: shop.projectId, projectSlug: 'shop' });
    for (const each of [past, other]) {
      const chainId = await each.chain(daysAgo(2), { outcome: 'fixed', highestTier: 2 });
      const sessionId = await each.session(chainId, daysAgo(2, '10:00'));
      const attemptId = await each.attempt(sessionId, daysAgo(2, '10:00'));
      await each.ledger({ sessionId, attemptId, chainId }, daysAgo(2, '10:01'), {
        costMicros: 30_000n,
      });
    }
    const [all, one] = [
      await getOrganizationPlots(past.cast.alice, request, now),
      await getOrganizationPlots(past.cast.alice, { ...request, project: 'shop' }, now),
    ];
    expect(all.outcomes.points[4]).toMatchObject({ fixed: 2 });
    expect(one.outcomes.points[4]).toMatchObject({ fixed: 1 });
    expect(one.cost.caption).not.toBe(all.cost.caption);
    await expect(
      getOrganizationPlots(past.cast.alice, { ...request, project: 'nowhere' }, now),
    ).rejects.toThrow(NotFoundError);
  });
});

describe('[SAS-1.3] the plots of one organization', () => {
  it('hold nothing of another, and nothing is not zero', async () => {
    const busy = new Past(await makeCast({}, daysAgo(20)));
    await busy.chain(daysAgo(1), { outcome: 'fixed', highestTier: 2 });
    const other = await makeCast({}, daysAgo(20));
    const plots = await getOrganizationPlots(other.alice, request, now);
    expect(plots.outcomes).toMatchObject({ isEmpty: true, caption: expect.stringMatching(/^No /) });
    expect(plots.outcomes.points).toEqual(Array.from({ length: 7 }, () => null));
    for (const plot of [plots.escalation, plots.cost, plots.hops]) {
      expect(plot.isEmpty).toBe(true);
    }
  });
});
