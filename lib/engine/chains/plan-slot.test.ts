import { describe, expect, it } from 'vitest';
import type { MaintenanceWindow } from '@/lib/projects/maintenance/schema';
import { DEFAULT_CONFIG } from '@/lib/projects/new-project';
import { type DueSlot, planSlot, slotConfigSchema } from './plan-slot';

const NOW = new Date('2026-11-21T14:00:05Z');
const DUE = new Date('2026-11-21T14:00:00Z');
const NEXT = new Date('2026-11-21T14:10:00Z');

const SLOT: DueSlot = {
  projectId: 'project-a',
  organizationId: 'organization-a',
  projectName: 'Checkout',
  dueAt: DUE,
  projectVersion: 14,
  config: {
    schedule: { kind: 'interval', everySeconds: 600, timeZone: 'UTC' },
    budgets: { chainUsd: 1, dayUsd: 10, monthUsd: 100 },
    maintenance: [],
    runnerPool: 'default',
    model: 'haiku',
  },
  pauses: [],
  poolId: 'pool-1',
  liveNumber: null,
  spending: { chainMicros: 0, dayMicros: 0, monthMicros: 0 },
};

type Change = Partial<Omit<DueSlot, 'config'>> & { config?: Partial<DueSlot['config']> };

function plan(change: Change = {}) {
  return planSlot({ ...SLOT, ...change, config: { ...SLOT.config, ...change.config } }, NOW);
}

/** Open from `startsAt` to 15:00 UTC of that day. */
function window(effect: MaintenanceWindow['effect'], startsAt = '13:59'): MaintenanceWindow {
  return {
    name: 'Upgrade',
    effect,
    timeZone: 'UTC',
    when: { kind: 'once', startsAt: `2026-11-21T${startsAt}`, endsAt: '2026-11-21T15:00' },
  };
}

it('reads its part of a configuration, with the model of tier 1', () => {
  const { model } = DEFAULT_CONFIG.tiers[0];
  const parsed = slotConfigSchema.parse({ ...DEFAULT_CONFIG, model });
  expect(parsed).toMatchObject({ runnerPool: DEFAULT_CONFIG.runnerPool, model });
  expect(() => slotConfigSchema.parse(DEFAULT_CONFIG)).toThrow();
});

describe('a slot that is due', () => {
  it('starts a chain of tier 1, and names the next slot', () => {
    expect(plan()).toMatchObject({
      projectId: 'project-a',
      nextRunAt: NEXT,
      chain: {
        trigger: 'schedule',
        slotAt: DUE.toISOString(),
        startTier: 1,
        projectVersion: 14,
        model: 'haiku',
        poolId: 'pool-1',
        isDryRun: false,
        isForceFresh: false,
        prompt: null,
        requestedBy: null,
        skipped: null,
      },
      missed: [],
      held: null,
    });
  });

  it('of a manual schedule plans nothing further', () => {
    expect(
      plan({ config: { schedule: { kind: 'manual', timeZone: 'UTC' } } }).nextRunAt,
    ).toBeNull();
  });

  it('runs the newest slot after a downtime, and lists those before it', () => {
    const { chain, missed } = plan({ dueAt: new Date('2026-11-21T13:40:00Z') });
    expect(chain?.slotAt).toBe(DUE.toISOString());
    expect(missed).toEqual([new Date('2026-11-21T13:40:00Z'), new Date('2026-11-21T13:50:00Z')]);
  });
});

describe('a slot that may not start', () => {
  it.each([
    ['a chain still runs', { liveNumber: 11 }, 'CHAIN_RUNNING'],
    [
      "today's budget is used up",
      { spending: { ...SLOT.spending, dayMicros: 10_000_000 } },
      'BUDGET',
    ],
    ['a month is used up', { spending: { ...SLOT.spending, monthMicros: 100_000_000 } }, 'BUDGET'],
    ['the pool is gone', { poolId: null }, 'NO_POOL'],
  ] as const)('is stored as skipped, with the time: %s', (_title, change, code) => {
    const { chain, nextRunAt } = plan(change);
    expect(chain?.skipped?.code).toBe(code);
    expect(chain?.skipped?.text).toMatch(/^Skipped at 14:00 UTC: .+\. .+/);
    expect(nextRunAt).toEqual(NEXT);
  });

  it("is not held back by another chain's budget", () => {
    expect(plan({ spending: { ...SLOT.spending, chainMicros: 9e9 } }).chain?.skipped).toBeNull();
  });

  it('leaves no row while the project is paused, and the next slot stays', () => {
    const pauses = [{ scope: 'project', name: 'Checkout', by: 'Ana', since: DUE }] as const;
    expect(plan({ pauses })).toEqual({
      projectId: 'project-a',
      nextRunAt: NEXT,
      chain: null,
      missed: [],
      held: null,
    });
  });

  it('leaves no row in a maintenance window, which is named', () => {
    const planned = plan({ config: { maintenance: [window('no_cycles')] } });
    expect(planned).toMatchObject({ chain: null, missed: [], nextRunAt: NEXT });
    expect(planned.held).toMatchObject({ isFirst: true, window: { name: 'Upgrade' } });
  });

  it.each([
    ['13:51', true],
    // The slot at this time was the first one.
    ['13:50', false],
    ['13:30', false],
  ])('the first slot of a window since %s: %s', (startsAt, isFirst) => {
    const { held } = plan({ config: { maintenance: [window('no_cycles', startsAt)] } });
    expect(held?.isFirst).toBe(isFirst);
  });

  it('still looks where the window only keeps higher tiers back', () => {
    const planned = plan({ config: { maintenance: [window('observe_only')] } });
    expect(planned).toMatchObject({ chain: { skipped: null }, held: null });
  });
});
