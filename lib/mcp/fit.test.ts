import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fit, MAX_RESULT_CHARS, rowsThatFit, sizeOf } from './fit';
import { untrusted } from './untrusted';

describe('[INC-4.3] the size of a result', () => {
  it('what fits stays as it is', () => {
    const value = { rows: [1, 2, 3], text: untrusted('log', 'x'.repeat(30_000), 30_000) };
    expect(fit(value)).toBe(value);
  });

  it.each([
    ['one long text', { text: { source: 'a', untrusted_text: 'x'.repeat(50_000) } }],
    ['quotes, which JSON doubles', { text: { source: 'a', untrusted_text: '"'.repeat(30_000) } }],
    [
      'many texts',
      {
        rows: Array.from({ length: 50 }, () => ({
          text: { source: 'a', untrusted_text: 'x'.repeat(2_000) },
        })),
      },
    ],
    [
      'long lists in a list',
      { rows: Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => 'name')) },
    ],
  ])('%s is cut to it', (_, value) => {
    expect(sizeOf(value)).toBeGreaterThan(MAX_RESULT_CHARS);
    expect(sizeOf(fit(value))).toBeLessThanOrEqual(MAX_RESULT_CHARS);
  });

  it('a cut text says how long it was, also if it was cut before', () => {
    const text = { source: 'a', untrusted_text: 'x'.repeat(90_000) };
    expect(fit({ text })).toMatchObject({ text: { source: 'a', total_chars: 90_000 } });
    expect(fit({ text: { ...text, total_chars: 100_000 } })).toMatchObject({
      text: { total_chars: 100_000 },
    });
  });

  it('a result that can’t be cut is an error', () => {
    expect(() => fit({ id: 'x'.repeat(50_000) })).toThrow('can’t be cut');
  });

  it('never keeps more than it may, nor half of a character', () => {
    const text = fc.record({ source: fc.constant('log'), untrusted_text: fc.string() });
    const rows = fc.array(fc.record({ text, names: fc.array(fc.string({ maxLength: 20 })) }));
    fc.assert(
      fc.property(rows, fc.integer({ min: 600, max: 2_000 }), (value, max) => {
        const fitted = fit({ rows: value }, max);
        expect(sizeOf(fitted)).toBeLessThanOrEqual(max);
        expect(JSON.stringify(fitted).isWellFormed()).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [[], 100, 0],
    [['x'.repeat(40), 'x'.repeat(40), 'x'.repeat(40)], 90, 2],
    [['x'.repeat(400), 'y'], 90, 1],
    [['a', 'b'], 90, 2],
  ])('%# rows that fit', (rows, max, expected) => {
    expect(rowsThatFit(rows, max)).toBe(expected);
  });
});
