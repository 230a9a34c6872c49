import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeId, encodeId, ID_PREFIXES } from './ids';

const uuid = '0192f3a1-7c4e-7b2a-9d3f-5e6a7b8c9d0e';

describe('typed ids', () => {
  it('carry any UUID there and back, under every prefix', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.constantFrom(...ID_PREFIXES), (id, prefix) => {
        const text = encodeId(prefix, id);
        expect(text).toMatch(new RegExp(`^${prefix}_[0-9A-Za-z]{22}$`));
        expect(decodeId(prefix, text)).toBe(id);
      }),
    );
  });

  it.each(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])(
    'carry %s',
    (id) => {
      expect(decodeId('org', encodeId('org', id))).toBe(id);
    },
  );

  it('sort as their UUIDs do', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (a, b) => {
        expect(encodeId('ses', a) < encodeId('ses', b)).toBe(a < b);
      }),
    );
  });

  it.each([
    ['another prefix', encodeId('chn', uuid)],
    ['a bare UUID', uuid],
    ['one character short', encodeId('ses', uuid).slice(0, -1)],
    ['one character long', `${encodeId('ses', uuid)}0`],
    ['a character outside the alphabet', `ses_${'0'.repeat(21)}-`],
    ['more than 128 bits', `ses_${'z'.repeat(22)}`],
    ['nothing', ''],
  ])('do not decode from %s', (_title, text) => {
    expect(decodeId('ses', text)).toBeNull();
  });

  it('are not made of anything but a UUID', () => {
    expect(() => encodeId('ses', 'abc')).toThrow(TypeError);
  });
});
