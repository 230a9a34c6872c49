import { expect, it } from 'vitest';
import { pausesOf } from './holds';

const since = new Date('2026-11-21T14:00:00Z');
const row = (name: string, pausedBy: string | null = null, pausedAt: Date | null = since) => ({
  name,
  pausedAt,
  pausedBy,
});

it('names every active pause: of the organization, the project, then its tiers', () => {
  expect(
    pausesOf({
      organization: row('Acme', 'Alice'),
      project: row('Checkout'),
      tierPauses: [{ tier: 2, by: 'Bob', since }],
    }),
  ).toEqual([
    { scope: 'organization', name: 'Acme', by: 'Alice', since },
    { scope: 'project', name: 'Checkout', by: 'someone', since },
    { scope: 'tier', tier: 2, by: 'Bob', since },
  ]);
});

it('names none where nothing is paused, although a name is left of an earlier one', () => {
  const idle = { organization: row('Acme', 'Alice', null), project: row('Checkout', 'Bob', null) };
  expect(pausesOf({ ...idle, tierPauses: [] })).toEqual([]);
});

it('refuses a pause of a tier that does not exist', () => {
  const idle = { organization: row('Acme', null, null), project: row('Checkout', null, null) };
  expect(() => pausesOf({ ...idle, tierPauses: [{ tier: 4, by: 'Bob', since }] })).toThrow();
});
