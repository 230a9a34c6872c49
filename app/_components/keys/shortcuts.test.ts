import { expect, it } from 'vitest';
import { navItems } from '../shell/navigation';
import { GO_KEYS, SHORTCUTS } from './shortcuts';

const listed = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts.map(({ keys }) => keys.join(' ')));

it('every page that `g` leads to is on the list, and in the bar', () => {
  const gone = listed.filter((keys) => keys.startsWith('g ')).map((keys) => keys.slice(2));
  expect(gone.toSorted()).toEqual(Object.keys(GO_KEYS).toSorted());
  const pages = navItems('/acme/projects/checkout').map(({ key }) => key);
  expect(Object.values(GO_KEYS).toSorted()).toEqual(pages.toSorted());
  const ofOrganization = navItems('/acme').map(({ key }) => key);
  expect(Object.values(GO_KEYS)).toEqual(expect.arrayContaining(ofOrganization));
});

it('no key is on the list twice', () => {
  expect(new Set(listed).size).toBe(listed.length);
});
