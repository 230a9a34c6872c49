import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { fromTypedId, toTypedId } from './typed-id';

const uuid = '019a0f3c-7d2e-7b61-8c11-0a5f6b2c9d33';

describe('a typed id', () => {
  it.each([
    uuid,
    v7(),
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ])('of %s has 22 characters and leads back', (row) => {
    const id = toTypedId('ses', row);
    expect(id).toMatch(/^ses_[0-9A-Za-z]{22}$/);
    expect(fromTypedId('ses', id)).toBe(row);
  });

  it.each([
    '',
    'ses_',
    uuid,
    toTypedId('prj', uuid),
    `${toTypedId('ses', uuid)}0`,
    toTypedId('ses', uuid).slice(0, -1),
    `ses_${'z'.repeat(22)}`,
    toTypedId('ses', uuid).replace('_', '-'),
  ])('is not read from %j', (text) => {
    expect(fromTypedId('ses', text)).toBeNull();
  });

  it('is made of UUIDs alone', () => {
    expect(() => toTypedId('ses', '12')).toThrow('No UUID');
  });
});
