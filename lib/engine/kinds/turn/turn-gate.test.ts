import { describe, expect, it } from 'vitest';
import { turnGate } from './turn-gate';

const NOW = new Date('2026-11-21T14:00:00Z');
const RUNNING = { name: 'Checkout', pausedAt: null, pausedBy: null };
const PAUSED = { name: 'Checkout', pausedAt: NOW, pausedBy: 'Ana' };
const NOTHING_SPENT = { chainMicros: 0, dayMicros: 0, monthMicros: 0 };

const FACTS: Parameters<typeof turnGate>[0] = {
  organization: { ...RUNNING, name: 'Acme' },
  project: RUNNING,
  config: { budgets: { chainUsd: 1, dayUsd: 10, monthUsd: 100 }, runnerPool: 'default' },
  spending: NOTHING_SPENT,
  hasPool: true,
};

describe('turnGate', () => {
  it.each([
    ['nothing', {}, null],
    ['the organization is paused', { organization: { ...PAUSED, name: 'Acme' } }, 'PAUSED'],
    ['the project is paused', { project: PAUSED }, 'PAUSED'],
    ["today's budget", { spending: { ...NOTHING_SPENT, dayMicros: 10_000_000 } }, 'BUDGET'],
    ["this month's budget", { spending: { ...NOTHING_SPENT, monthMicros: 100_000_000 } }, 'BUDGET'],
    [
      'a budget of chains is not its own',
      { spending: { ...NOTHING_SPENT, chainMicros: 9e9 } },
      null,
    ],
    ['no pool', { hasPool: false }, 'NO_POOL'],
  ] as const)('%s', (_title, change, code) => {
    expect(turnGate({ ...FACTS, ...change }, NOW)?.code ?? null).toBe(code);
  });

  it('names the pool that is missing', () => {
    expect(turnGate({ ...FACTS, hasPool: false }, NOW)?.because).toContain('default');
  });
});
