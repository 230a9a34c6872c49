import { describe, expect, it } from 'vitest';
import { findCoveringEntry, isVersionEntry, splitVersionList } from './version-list';

describe('[ENG-2.7] a list of versions', () => {
  it.each([
    ['2.1.197', ['2.1.197'], '2.1.197'],
    ['2.1.197', ['2.1.19'], null],
    ['2.1.19', ['2.1.197'], null],
    ['2.1.197', ['<2.1.197'], null],
    ['2.1.196', ['<2.1.197'], '<2.1.197'],
    ['2.1.99', ['<2.1.197'], '<2.1.197'],
    ['1.9.999', ['<2.1.197'], '<2.1.197'],
    ['3.0.0', ['<2.1.197'], null],
    ['2.1.330-beta.1', ['2.1.330'], '2.1.330'],
    ['2.1.330', ['1.0.0', '<2.2.0', '2.1.330'], '<2.2.0'],
    ['2.1.330', [], null],
  ])('covers %s with %j: %s', (version, entries, covering) => {
    expect(findCoveringEntry(version, entries)).toBe(covering);
  });

  it.each([
    ['2.1.197', true],
    ['<2.1.330', true],
    ['2.1', false],
    ['<=2.1.330', false],
    ['>2.1.330', false],
    ['v2.1.330', false],
    ['2.1.x', false],
    ['2.1.330,2.1.331', false],
    ['', false],
  ])('takes %j: %s', (entry, isTaken) => {
    expect(isVersionEntry(entry)).toBe(isTaken);
  });

  it('is split at commas, spaces and line breaks, each entry once', () => {
    expect(splitVersionList(' 2.1.197, <2.1.100\n2.1.197  3.0.0,')).toEqual([
      '2.1.197',
      '<2.1.100',
      '3.0.0',
    ]);
  });
});
