import { expect, it } from 'vitest';
import { refuseWeakPassword } from './password-strength';

const ANA = ['Ana Ruiz', 'ana.ruiz@shop.example'];

it.each([
  ['1234567890', 'This is a frequently used password.'],
  ['qwertyuiop', 'This is a frequently used password.'],
  ['aaaaaaaaaaaaaaaaaaaa', 'Repeated characters like "aaa" are easy to guess.'],
  ['ana.ruiz@shop.example', 'It consists mostly of your name, your address or the product’s name.'],
  ['tierwatch1', 'It consists mostly of your name, your address or the product’s name.'],
])('[SEC-1.3] refuses %s, and says why', async (password, reason) => {
  const refusal = refuseWeakPassword('newPassword', password, ANA);
  await expect(refusal).rejects.toMatchObject({
    code: 'invalid',
    fields: { newPassword: expect.stringContaining(reason) },
  });
});

it.each(['correct horse battery', 'xK9#mQ2$vL7p', 'der Zug hält in Ulm'])(
  '[SEC-1.3] accepts %s',
  async (password) => {
    await expect(refuseWeakPassword('password', password, ANA)).resolves.toBeUndefined();
  },
);
