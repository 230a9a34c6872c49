import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isReservedSlug, numberedSlug, slugOfName } from './slug';

describe('slugOfName', () => {
  it.each([
    ['Acme', 'acme'],
    ['Café Ümlaut & Co.', 'cafe-umlaut-co'],
    ['  --Acme  Ops-- ', 'acme-ops'],
    ['漢字', 'team'],
    ['A', 'team'],
    ['API', 'api-team'],
    ['Sign in', 'sign-in-team'],
    ['x'.repeat(80), 'x'.repeat(40)],
    [`${'x'.repeat(39)} y`, 'x'.repeat(39)],
  ])('of %j is %s', (name, slug) => {
    expect(slugOfName(name)).toBe(slug);
  });
});

describe('a reserved slug', () => {
  it('is every first part of a path that the product uses itself', () => {
    const entries = readdirSync(new URL('../../../app', import.meta.url), { withFileTypes: true });
    const own = entries
      // A slug has no dot, so a folder like `runner.mjs` can't be one.
      .filter((entry) => entry.isDirectory() && /^[a-z][^.]*$/.test(entry.name))
      .map((entry) => entry.name);
    expect(own).toContain('orgs');
    for (const name of own) expect(isReservedSlug(name), name).toBe(true);
  });
});

describe('numberedSlug', () => {
  it('stays within 40 characters', () => {
    expect(numberedSlug('acme', 2)).toBe('acme-2');
    expect(numberedSlug('x'.repeat(40), 12)).toBe(`${'x'.repeat(37)}-12`);
  });
});
