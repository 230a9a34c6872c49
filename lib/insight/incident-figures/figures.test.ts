import { describe, expect, it } from 'vitest';
import type { ChainFacts, IncidentFacts } from './facts';
import { incidentFigures, spreadOf } from './figures';

const START = Date.parse('2026-11-20T00:00:00Z');
const minute = (minutes: number) => new Date(START + minutes * 60_000);
const NOW = minute(10 * 24 * 60);

let numbers = 0;

interface Story {
  /** Minutes from the start of the day on. */
  began: number;
  opened: number;
  acknowledged?: number;
  recovered?: number;
  resolution?: 'fixed' | 'recovered' | 'manual' | 'merged' | 'reported' | 'removed' | 'unheard-of';
  service?: string;
  chain?: ChainFacts;
  isBack?: boolean;
  isWellByRemoval?: boolean;
}

function incident(story: Story): IncidentFacts {
  const { began, opened, acknowledged, recovered, resolution, chain, service = 'web' } = story;
  const { isBack = false, isWellByRemoval = false } = story;
  numbers += 1;
  const id = String(numbers);
  const end = recovered ?? opened;
  const isVerified = resolution === 'fixed' || resolution === 'recovered';
  const resolvedAt = resolution ? minute(end + 10) : null;
  const isSettled = isVerified || resolution === 'manual';
  return {
    ...{ id, isBack, isWellByRemoval, resolvedAt },
    state: resolution ? 'resolved' : 'open',
    resolution: resolution ?? null,
    startedAt: minute(began),
    openedAt: minute(opened),
    verifyingSince: recovered === undefined || !resolution ? null : minute(recovered),
    fixChainId: resolution === 'fixed' ? (chain?.id ?? null) : null,
    acknowledgedAt: acknowledged === undefined ? null : minute(acknowledged),
    endedAt: isVerified ? minute(end) : isSettled ? resolvedAt : null,
    services: [{ serviceId: service, name: service }],
    backServiceIds: isBack ? [service] : [],
    chainIds: chain ? [chain.id] : [],
    fixes:
      chain?.outcome === 'fixed'
        ? [
            {
              ...{ incidentId: id, chainId: chain.id, isBack: isVerified && isBack },
              settledBy: isVerified ? 'verified' : isSettled ? 'resolved' : null,
              settledAt: isSettled ? resolvedAt : null,
              recoveredAt: isSettled ? minute(end) : null,
            },
          ]
        : [],
  };
}

let chains = 0;

function chain(changes: Partial<ChainFacts> = {}): ChainFacts {
  chains += 1;
  return {
    ...{ id: `chain-${chains}`, outcome: 'fixed', highestTier: 2, model: 'sonnet' },
    ...{ actions: ['restart'], costMicros: 200_000, isCostEstimated: false },
    ...changes,
  };
}

const figures = (incidents: IncidentFacts[], own: ChainFacts[] = [], now = NOW) =>
  incidentFigures(incidents, own, now);

describe('[INC-3.2] durations', () => {
  it.each<[number[], unknown]>([
    [[], null],
    [[60], { incidents: 1, p50Seconds: 60, p90Seconds: 60, isSmall: true }],
    [[10, 20, 30, 40], { incidents: 4, p50Seconds: 25, p90Seconds: 37, isSmall: true }],
    [[10, 20, 30, 40, 50], { incidents: 5, p50Seconds: 30, p90Seconds: 46, isSmall: false }],
  ])('median and p90 of %j', (seconds, spread) => {
    const found = spreadOf(seconds);
    expect(found && { ...found, p90Seconds: Math.round(found.p90Seconds) }).toEqual(spread);
  });

  it('run from the first failure, each over the incidents that have it', () => {
    const found = figures([
      incident({ began: 0, opened: 2, acknowledged: 5, recovered: 12, resolution: 'fixed' }),
      incident({ began: 3000, opened: 3004, recovered: 3030, resolution: 'recovered' }),
      incident({ began: 6000, opened: 6003, recovered: 6060, resolution: 'manual' }),
      incident({ began: 9000, opened: 9003 }),
    ]);
    expect(found).toMatchObject({
      ...{ incidents: 4, unresolved: 1, resolvedByPerson: 1, acknowledged: 1 },
      timeToDetect: { incidents: 4, p50Seconds: 180 },
      timeToAcknowledge: { incidents: 1, p50Seconds: 300 },
      // The one that a person resolved isn't proven.
      timeToFix: { incidents: 2, p50Seconds: (12 * 60 + 30 * 60) / 2 },
    });
  });

  it('are unknown, not zero, without any', () => {
    const open = incident({ began: 0, opened: 2 });
    expect(figures([open])).toMatchObject({
      ...{ timeToAcknowledge: null, timeToFix: null, recurrence: { rate: null } },
      fixes: { provenRate: null, costUsd: null, costPerProvenFixUsd: null },
    });
  });

  it('leave out what was merged into another incident', () => {
    const merged = incident({ began: 0, opened: 2, resolution: 'merged' });
    expect(figures([merged])).toMatchObject({
      ...{ incidents: 0, timeToDetect: null, leftOut: { merged: 1, otherwise: 0 } },
    });
  });

  it.each([
    ['reported', { reported: 1, removed: 0, otherwise: 0 }],
    ['removed', { reported: 0, removed: 1, otherwise: 0 }],
    ['unheard-of', { reported: 0, removed: 0, otherwise: 1 }],
  ] as const)('don’t take an incident that ended as %s for fixed', (resolution, leftOut) => {
    const tried = chain();
    const found = figures(
      [incident({ began: 0, opened: 2, recovered: 9, resolution, chain: tried })],
      [tried],
    );
    expect(found).toMatchObject({
      ...{ incidents: 1, unresolved: 0, resolvedByPerson: 0, timeToFix: null, leftOut },
      fixes: { reported: 1, proven: 0, unproven: 1, provenRate: null },
    });
  });

  it('don’t time a recovery that began when a service was removed', () => {
    const found = figures([
      incident({ began: 0, opened: 2, recovered: 10, resolution: 'recovered' }),
      incident({
        ...{ began: 0, opened: 2, recovered: 500, resolution: 'recovered' },
        isWellByRemoval: true,
      }),
    ]);
    expect(found).toMatchObject({
      ...{ timeToFix: { incidents: 1, p50Seconds: 600 }, leftOut: { wellByRemoval: 1 } },
    });
  });
});

describe('[INC-3.2] proven fixes and their cost', () => {
  const proven = chain({ costMicros: 300_000 });
  const cameBack = chain({ costMicros: 500_000, model: 'opus', highestTier: 3, actions: [] });
  const failed = chain({ outcome: 'needs_human', costMicros: 100_000, actions: ['restart', 'rm'] });
  const observed = chain({ outcome: 'findings', highestTier: 1, costMicros: 50_000 });
  const own = [proven, cameBack, failed, observed];
  const found = figures(
    [
      incident({ began: 0, opened: 2, recovered: 9, resolution: 'fixed', chain: proven }),
      incident({
        ...{ began: 3000, opened: 3002, recovered: 3009, resolution: 'fixed', service: 'db' },
        ...{ chain: cameBack, isBack: true },
      }),
      incident({ began: 3600, opened: 3602, service: 'db', chain: failed }),
      incident({ began: 6000, opened: 6002, service: 'api', chain: observed }),
    ],
    own,
  );

  it('in all: the cost of every chain that tried, for each proven fix', () => {
    expect(found.fixes).toMatchObject({
      ...{ chains: 3, reported: 2, provenRate: 0.5, costUsd: 0.9 },
      ...{ costPerProvenFixUsd: 0.9, isSmall: true, unbookedChains: 0 },
      ...{ proven: 1, recurred: 1, failed: 0, pending: 0, unproven: 0 },
    });
  });

  it('by tier, by model and by action', () => {
    expect(found.fixesByTier).toMatchObject([
      { tier: 2, chains: 2, costUsd: 0.4, costPerProvenFixUsd: 0.4, provenRate: 1 },
      { tier: 3, chains: 1, costUsd: 0.5, costPerProvenFixUsd: null, provenRate: 0 },
    ]);
    expect(found.fixesByModel.map(({ model, chains: count }) => [model, count])).toEqual([
      ['sonnet', 2],
      ['opus', 1],
    ]);
    expect(found.fixesByAction.map(({ action, chains: count }) => [action, count])).toEqual([
      ['restart', 2],
      [null, 1],
      ['rm', 1],
    ]);
  });

  it('says which costs are missing or estimated', () => {
    const unbooked = chain({ costMicros: null });
    const estimated = chain({ costMicros: 40_000, isCostEstimated: true });
    const group = figures(
      [
        incident({ began: 0, opened: 2, recovered: 9, resolution: 'fixed', chain: unbooked }),
        incident({
          ...{ began: 3000, opened: 3002, recovered: 3009, resolution: 'fixed' },
          chain: estimated,
        }),
      ],
      [unbooked, estimated],
    ).fixes;
    expect(group).toMatchObject({
      ...{ costUsd: 0.04, unbookedChains: 1, isCostEstimated: true, costPerProvenFixUsd: 0.02 },
    });
    const none = figures(
      [incident({ began: 0, opened: 2, recovered: 9, resolution: 'fixed', chain: unbooked })],
      [unbooked],
    ).fixes;
    expect(none).toMatchObject({ costUsd: null, costPerProvenFixUsd: null, provenRate: 1 });
  });

  it('a sample of five decided fixes is not small', () => {
    const several = (count: number) => {
      const tried = Array.from({ length: count }, () => chain());
      const incidents = tried.map((each, index) =>
        incident({
          ...{ began: index * 2000, opened: index * 2000 + 2, recovered: index * 2000 + 9 },
          ...{ resolution: 'fixed' as const, chain: each, service: `s${index}` },
        }),
      );
      return figures(incidents, tried).fixes.isSmall;
    };
    expect(several(4)).toBe(true);
    expect(several(5)).toBe(false);
  });
});

describe('[INC-3.2] recurrence', () => {
  const outage = (began: number, service: string, changes: Partial<Story> = {}) =>
    incident({
      ...{ began, opened: began + 2, recovered: began + 9, service },
      ...{ resolution: 'recovered', ...changes },
    });

  it('counts incidents of which a service failed again within a day', () => {
    const { recurrence, recurringServices } = figures([
      outage(0, 'web', { isBack: true }),
      outage(600, 'web'),
      outage(3000, 'web'),
      outage(100, 'db', { resolution: 'manual' }),
      outage(100, 'api', { resolution: 'reported' }),
    ]);
    expect(recurrence).toEqual({
      ...{ ended: 4, recurred: 1, undecided: 0, rate: 0.25, isSmall: true },
    });
    expect(recurringServices).toEqual([{ name: 'web', incidents: 3, recurred: 1 }]);
  });

  it('leaves undecided what ended less than a day ago', () => {
    const now = minute(60);
    expect(figures([outage(0, 'web')], [], now).recurrence).toMatchObject({
      ...{ ended: 1, recurred: 0, undecided: 1, rate: null },
    });
  });
});
