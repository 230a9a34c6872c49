import { afterEach, describe, expect, it } from 'vitest';
import { startSmtpServer, type TestSmtpServer } from '@/tests/support/mail-server/scripted-server';
import { createMailer, type Mail, type MailerOptions, nameMailFailure, readSmtpUrl } from './mail';

const FROM = 'tierwatch@example.com';
const mail: Mail = { to: ['bo@example.com'], subject: 'Hello', text: 'One\n.\nTwo\n', id: 'dlv_1' };

let server: TestSmtpServer | undefined;
afterEach(() => server?.close());

const send = (smtpUrl: string, options: Partial<MailerOptions> = {}, changes: Partial<Mail> = {}) =>
  createMailer({ smtpUrl, from: FROM, ...options }).send({ ...mail, ...changes });

describe('a mail', () => {
  it('arrives as it was written', async () => {
    server = await startSmtpServer();
    expect(await send(server.url())).toMatchObject({ ok: true, status: 250, message: '250 Taken' });
    expect(server.lines).toContain(`MAIL FROM:<${FROM}>`);
    expect(server.lines).toContain('RCPT TO:<bo@example.com>');
    expect(server.lines).toContain('From: Tierwatch <tierwatch@example.com>');
    expect(server.lines).toContain('Message-ID: <dlv_1@example.com>');
    expect(server.lines.join('\n')).toContain('One\n..\nTwo');
  });

  it('goes out encrypted where the server can, and the password only then', async () => {
    server = await startSmtpServer({ offersTls: true });
    const certificateAuthority = server.certificate;
    expect(await send(server.url('ana:pw@'), { certificateAuthority })).toMatchObject({ ok: true });
    const { lines } = server;
    expect(lines.indexOf('[TLS]')).toBeGreaterThan(0);
    const plain = `AUTH PLAIN ${Buffer.from('\0ana\0pw').toString('base64')}`;
    expect(lines.indexOf(plain)).toBeGreaterThan(lines.indexOf('[TLS]'));
    expect(lines).toContain('.');
  });

  it('is not sent to a server that proves to be another', async () => {
    server = await startSmtpServer({ offersTls: true });
    expect(await send(server.url('ana:pw@'))).toMatchObject({ ok: false, reason: 'tls_failed' });
    expect(server.lines.join()).not.toContain('AUTH');
  });

  it('is not sent where the password would be readable on the way', async () => {
    server = await startSmtpServer();
    expect(await send(server.url('ana:pw@'))).toMatchObject({ ok: false });
    expect(server.lines.join()).not.toContain('AUTH');
  });

  it.each([
    ['RCPT TO', '550 No such person', 'mailbox_refused', true, 'No such person'],
    ['RCPT TO', '450 Greylisted', 'mailbox_refused', false, 'Greylisted'],
    ['.', '554 Spam', 'mail_refused', false, 'Spam'],
  ])('to whose %s the server says %s', async (command, answer, reason, isPermanent, words) => {
    server = await startSmtpServer({ answers: { [command]: answer } });
    const result = await send(server.url());
    expect(result).toMatchObject({ ok: false, reason, isPermanent });
    expect(result).toMatchObject({ message: expect.stringContaining(words) });
  });

  it('fails when nobody answers', async () => {
    server = await startSmtpServer({ answers: { 'MAIL FROM': '250-never ends' } });
    const silent = await send(server.url(), { timeoutMs: 200 });
    expect(silent).toMatchObject({ ok: false, reason: 'connection_timeout' });
    const absent = await send('smtp://127.0.0.1:1');
    expect(absent).toMatchObject({ ok: false, reason: 'connection_refused' });
  });

  it('goes to no address that would be a command, and its subject makes no header', async () => {
    server = await startSmtpServer();
    const to = ['bo@example.com>\r\nRCPT TO:<everyone@example.com'];
    await send(server.url(), {}, { to, subject: 'Hi\r\nBcc: all@example.com' });
    expect(server.lines.some((line) => /^(RCPT TO:<everyone|Bcc)/.test(line))).toBe(false);
  });
});

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
  expect(nameMailFailure(error).message).toContain('Its response: 550 no such user');
});

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
