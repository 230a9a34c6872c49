import { expect, it } from 'vitest';
import { toSpendRow } from './get-spend';
import type { SpendGroup } from './schema';

const project = { slug: 'checkout', name: 'Checkout' };
const deletedAt = new Date('2026-11-22T01:00:00Z');
const names = {
  projects: [{ id: 'p1', slug: 'checkout', name: 'Checkout' }],
  deleted: [{ projectId: 'p2', name: 'Billing', deletedAt }],
  sessions: [
    { id: 's1', number: 19, tier: 2, project, turn: null },
    { id: 's2', number: 20, tier: 1, project, turn: { conversation: { deletedAt: null } } },
    { id: 's3', number: 21, tier: 1, project, turn: { conversation: { deletedAt } } },
  ],
};
const row = { entries: 2, tokens: 10, micros: 30, estimateMicros: 0, groups: 1 };

it.each<[SpendGroup, string, string, string | null]>([
  ['project', 'p1', 'Checkout', 'checkout'],
  ['project', 'p2', 'Billing (deleted 22 Nov)', null],
  ['project', 'p3', 'A deleted project', null],
  ['session', 's1', 'Checkout · Session #19', 'checkout'],
  ['session', 's3', 'Checkout · Session #21', 'checkout'],
  ['session', '', 'Sessions of deleted projects', null],
  ['tier', '2', 'Tier 2', null],
  ['day', '2026-11-21', '2026-11-21', null],
])('by %s, %j is %s', (by, key, label, project) => {
  expect(toSpendRow({ ...row, key }, by, names)).toMatchObject({ label, project });
});

it('a session leads to its page, unless its conversation was deleted', () => {
  const numberOf = (key: string) => toSpendRow({ ...row, key }, 'session', names).number;
  expect(['s1', 's2', 's3'].map(numberOf)).toEqual([19, 20, null]);
});

it('a sum of days has no number of entries', () => {
  expect(toSpendRow({ ...row, key: 'p2', entries: 0 }, 'project', names).entries).toBeNull();
});
