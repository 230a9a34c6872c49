import { afterEach, describe, expect, it } from 'vitest';
import { readSmtpUrl, sendBySmtp } from './client';
import { startSmtpServer, type TestSmtpServer } from './test-server';

const FROM = 'tierwatch@example.com';
const mail = { to: 'bo@example.com', subject: 'Hello', text: 'One\n.\nTwo\n' };

let server: TestSmtpServer | undefined;
afterEach(() => server?.close());

describe('a mail server’s address', () => {
  it.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, isSecure: false, login: null }],
    ['smtps://mail.example', { host: 'mail.example', port: 465, isSecure: true, login: null }],
    ['smtp://[::1]:25', { host: '::1', port: 25, isSecure: false, login: null }],
    [
      'smtp://ana%40example.com:p%2Fw@mail.example:2525',
      {
        host: 'mail.example',
        port: 2525,
        isSecure: false,
        login: { user: 'ana@example.com', password: 'p/w' },
      },
    ],
  ])('%s', (url, expected) => {
    expect(readSmtpUrl(url)).toEqual(expected);
  });
});

describe('a mail', () => {
  it('arrives as it was written', async () => {
    server = await startSmtpServer();
    await sendBySmtp(server.url(), FROM, mail);
    expect(server.lines).toContain(`MAIL FROM:<${FROM}>`);
    expect(server.lines).toContain('RCPT TO:<bo@example.com>');
    const body = server.lines.slice(server.lines.indexOf('DATA') + 1, server.lines.indexOf('.'));
    const text = Buffer.from(body.slice(body.indexOf('') + 1).join(''), 'base64').toString();
    expect(text).toBe(mail.text);
  });

  it('goes out encrypted where the server can, and the password only then', async () => {
    server = await startSmtpServer({ offersTls: true });
    const certificateAuthority = server.certificate;
    await sendBySmtp(server.url('ana:pw@'), FROM, mail, { certificateAuthority });
    const { lines } = server;
    expect(lines.indexOf('[TLS]')).toBeGreaterThan(0);
    const plain = `AUTH PLAIN ${Buffer.from('\0ana\0pw').toString('base64')}`;
    expect(lines.indexOf(plain)).toBeGreaterThan(lines.indexOf('[TLS]'));
    expect(lines).toContain('.');
  });

  it('is not sent to a server that proves to be another', async () => {
    server = await startSmtpServer({ offersTls: true });
    await expect(sendBySmtp(server.url('ana:pw@'), FROM, mail)).rejects.toThrow(/certificate/);
    expect(server.lines.join()).not.toContain('AUTH');
  });

  it('is not sent where the password would be readable on the way', async () => {
    server = await startSmtpServer();
    const sent = sendBySmtp(server.url('ana:pw@'), FROM, mail);
    await expect(sent).rejects.toThrow('The mail server offers no encryption');
    expect(server.lines.join()).not.toContain('AUTH');
  });

  it.each([
    ['RCPT TO', '550 No such person', 'The mail server answered 550: No such person'],
    ['.', '554-No\r\n554 Spam', 'The mail server answered 554: Spam'],
  ])('fails with what the server says to %s', async (command, answer, message) => {
    server = await startSmtpServer({ answers: { [command]: answer } });
    await expect(sendBySmtp(server.url(), FROM, mail)).rejects.toThrow(message);
  });

  it('fails when nobody answers', async () => {
    server = await startSmtpServer({ answers: { 'MAIL FROM': '250-never ends' } });
    const sent = sendBySmtp(server.url(), FROM, mail, { timeoutMs: 200 });
    await expect(sent).rejects.toThrow('did not answer');
    await expect(sendBySmtp('smtp://127.0.0.1:1', FROM, mail)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('goes to no address that would be a command', async () => {
    server = await startSmtpServer();
    const to = 'bo@example.com>\r\nRCPT TO:<everyone@example.com';
    await expect(sendBySmtp(server.url(), FROM, { ...mail, to })).rejects.toThrow('address');
    expect(server.lines.join()).not.toContain('everyone');
  });
});
