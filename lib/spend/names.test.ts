import { expect, it } from 'vitest';
import { toSpendRow } from './names';
import type { SpendGroup } from './schema';

const names = {
  projects: [{ id: 'p1', slug: 'checkout', name: 'Checkout' }],
  deleted: [{ projectId: 'p2', name: 'Billing', deletedAt: new Date('2026-11-22T01:00:00Z') }],
  sessions: [{ id: 's1', number: 19, tier: 2, project: { slug: 'checkout', name: 'Checkout' } }],
};
const row = { entries: 2, tokens: 10, micros: 30, estimateMicros: 0, groups: 1 };

it.each<[SpendGroup, string, string, string | null]>([
  ['project', 'p1', 'Checkout', 'checkout'],
  ['project', 'p2', 'Billing (deleted 22 Nov)', null],
  ['project', 'p3', 'A deleted project', null],
  ['session', 's1', 'Checkout #19', 'checkout'],
  ['session', '', 'Sessions of deleted projects', null],
  ['tier', '2', 'Tier 2', null],
  ['day', '2026-11-21', '2026-11-21', null],
])('by %s, %j is %s', (by, key, label, project) => {
  expect(toSpendRow({ ...row, key }, by, names)).toMatchObject({ label, project });
});

it('a sum of days has no number of entries', () => {
  expect(toSpendRow({ ...row, key: 'p2', entries: 0 }, 'project', names).entries).toBeNull();
});
