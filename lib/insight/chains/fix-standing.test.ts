import { expect, it } from 'vitest';
import { fixStanding } from './fix-standing';

it.each([
  ['no chain since', null, { kind: 'unconfirmed' }],
  [
    'a healthy chain',
    { number: 13, outcome: 'healthy', servicesAffected: [] },
    { kind: 'confirmed', by: 13 },
  ],
  [
    'the same service down again',
    { number: 15, outcome: 'needs_human', servicesAffected: ['web', 'db'] },
    { kind: 'came_back', in: 15 },
  ],
  [
    'another service down',
    { number: 14, outcome: 'findings', servicesAffected: ['mail'] },
    { kind: 'confirmed', by: 14 },
  ],
  [
    'a chain that saw nothing',
    { number: 14, outcome: 'failed', servicesAffected: [] },
    { kind: 'unconfirmed' },
  ],
])('after a fix of web, %s', (_what, next, standing) => {
  expect(fixStanding(['web'], next)).toEqual(standing);
});

it('a fix of nothing that is known by name is confirmed by a healthy chain alone', () => {
  const next = { number: 14, outcome: 'findings', servicesAffected: ['mail'] };
  expect(fixStanding([], next)).toEqual({ kind: 'unconfirmed' });
  expect(fixStanding([], { ...next, outcome: 'healthy' })).toEqual({ kind: 'confirmed', by: 14 });
});
