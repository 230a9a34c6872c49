import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { unknownKeys } from './unknown-keys';

const schema = z.object({
  name: z.string(),
  limits: z.object({ maxTurns: z.number(), timeoutSeconds: z.number() }).partial().optional(),
  checks: z.array(z.object({ target: z.string() })).optional(),
  when: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('once'), startsAt: z.string() }),
      z.object({ kind: z.literal('recurring'), expression: z.string() }),
    ])
    .optional(),
  labels: z.record(z.string(), z.string()).optional(),
  extra: z.looseObject({ known: z.object({ target: z.string() }) }).optional(),
});

const refused = (value: unknown) =>
  unknownKeys(schema, value).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('unknownKeys', () => {
  it.each([
    [{ name: 'x', limits: { maxTurns: 1 }, checks: [{ target: 'y' }] }, []],
    [{ name: 'x', when: { kind: 'once', startsAt: 'now' } }, []],
    [{ nam: 'x' }, ['nam: Unknown field nam. Did you mean name?']],
    [
      { limits: { maxTurn: 1, timeout: 2 } },
      [
        'limits.maxTurn: Unknown field maxTurn. Did you mean maxTurns?',
        'limits.timeout: Unknown field timeout. Did you mean timeoutSeconds?',
      ],
    ],
    [{ checks: [{}, { colour: 1 }] }, ['checks.1.colour: Unknown field colour.']],
    // Of a union only the variant counts that the value says it is.
    [
      { when: { kind: 'once', expression: '* * * * *' } },
      ['when.expression: Unknown field expression.'],
    ],
    [{ constructor: 1 }, ['constructor: Unknown field constructor.']],
    // Where the schema takes any key, there is nothing to know; below it there is.
    [{ labels: { anything: 'goes' }, extra: { unknown: 1 } }, []],
    [{ extra: { known: { ab: 1 } } }, ['extra.known.ab: Unknown field ab.']],
    // A value of the wrong kind is left to the schema.
    ['a text', []],
    [null, []],
    [{ limits: [1], checks: { target: 1 } }, []],
  ])('%j', (value, expected) => {
    expect(refused(value)).toEqual(expected);
  });

  it('refuses every key where there is none to give', () => {
    expect(unknownKeys(z.strictObject({}), { force: true })).toHaveLength(1);
  });

  it('says little of much: the first keys, and the beginning of a long one', () => {
    const long = 'x'.repeat(900_000);
    const [first] = unknownKeys(schema, { [long]: 1 });
    expect(first?.message).toBe(`Unknown field ${'x'.repeat(59)}….`);
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key${n}`, n]));
    expect(unknownKeys(schema, many)).toHaveLength(20);
  });
});
