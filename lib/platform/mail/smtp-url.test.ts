import { expect, it } from 'vitest';
import { readSmtpUrl } from './client';

it.each([
  ['smtp://mail.example', { host: 'mail.example', port: 587, secure: false, auth: null }],
  ['smtps://mail.example', { host: 'mail.example', port: 465, secure: true, auth: null }],
  ['smtp://[::1]:25', { host: '::1', port: 25, secure: false, auth: null }],
  [
    'smtp://ana%40example.com:p%2Fw@mail.example:2525',
    {
      host: 'mail.example',
      port: 2525,
      secure: false,
      auth: { user: 'ana@example.com', pass: 'p/w' },
    },
  ],
])('readSmtpUrl(%j)', (url, server) => {
  expect(readSmtpUrl(url)).toEqual(server);
});
