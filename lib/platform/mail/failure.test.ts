import { expect, it } from 'vitest';
import { nameMailFailure } from './failure';

const failed = (fields: Record<string, unknown>) => Object.assign(new Error('x'), fields);

it.each([
  [failed({ code: 'EDNS' }), 'dns_failed', false],
  [
    failed({ code: 'ESOCKET', message: 'connect ECONNREFUSED 127.0.0.1' }),
    'connection_refused',
    false,
  ],
  [failed({ code: 'EDNS', message: 'getaddrinfo ENOTFOUND mail' }), 'dns_failed', false],
  [failed({ code: 'ETIMEDOUT' }), 'connection_timeout', false],
  [failed({ code: 'ETLS' }), 'tls_failed', false],
  [failed({ code: 'ESOCKET', message: 'self-signed certificate' }), 'tls_failed', false],
  [failed({ code: 'EAUTH', responseCode: 535 }), 'sign_in_refused', false],
  [failed({ code: 'EENVELOPE', responseCode: 550 }), 'mailbox_refused', true],
  [failed({ code: 'EENVELOPE', responseCode: 450 }), 'mailbox_refused', false],
  [failed({ code: 'EMESSAGE', responseCode: 554 }), 'mail_refused', false],
  [failed({}), 'other', false],
  ['not even an error', 'other', false],
])('%s is %s', (error, reason, isPermanent) => {
  expect(nameMailFailure(error)).toMatchObject({ reason, isPermanent });
});

it('repeats what the server said', () => {
  const error = failed({ code: 'EENVELOPE', responseCode: 550, response: '550 no such user' });
  expect(nameMailFailure(error)).toMatchObject({ status: 550 });
  expect(nameMailFailure(error).message).toContain('It answered: 550 no such user');
});
