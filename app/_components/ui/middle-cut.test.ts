import { expect, it } from 'vitest';
import { middleCut } from './copy-button';

it.each([
  ['ses_7Kq2aaaaaaaaaaaaaam4Xa', 'ses_7Kq2…m4Xa'],
  ['f1647ee4-1111-4222-8333-944445555666', 'f1647ee4…'],
  ['eu-1', 'eu-1'],
  ['a-name-of-more-than-14', 'a-na…n-14'],
])('%s is shown as %s', (id, shown) => {
  expect(middleCut(id)).toBe(shown);
});
