import os from 'node:os';
import type { Mail } from '../message';
import { composeMessage } from '../message';
import { openSmtp, type SmtpConnection, SmtpError, type SmtpReply } from './connection';

const SUBMISSION_PORT = 587;
const SECURE_PORT = 465;
const TIMEOUT_MS = 10_000;

/** `smtp://user:password@mail.example:587`; `smtps:` speaks TLS from the first byte. */
interface SmtpServer {
  host: string;
  port: number;
  isSecure: boolean;
  login: { user: string; password: string } | null;
}

export function readSmtpUrl(text: string): SmtpServer {
  const url = new URL(text);
  const isSecure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? SECURE_PORT : SUBMISSION_PORT),
    isSecure,
    login: user ? { user, password: decodeURIComponent(url.password) } : null,
  };
}

interface SmtpOptions {
  now?: Date;
  /** For each answer. */
  timeoutMs?: number;
  /** PEM; instead of the well-known certificate authorities. */
  certificateAuthority?: string;
}

/** Hands one mail to the server. Throws with its answer, or with what kept us from it. */
export async function sendBySmtp(
  url: string,
  from: string,
  mail: Mail,
  { now = new Date(), timeoutMs = TIMEOUT_MS, certificateAuthority }: SmtpOptions = {},
): Promise<void> {
  const server = readSmtpUrl(url);
  const connection = await openSmtp({ ...server, certificateAuthority }, timeoutMs);
  try {
    await connection.command(null, 220);
    await logIn(connection, server);
    await connection.command(`MAIL FROM:<${path(from)}>`, 250);
    await connection.command(`RCPT TO:<${path(mail.to)}>`, 250, 251);
    await connection.command('DATA', 354);
    await connection.command(`${stuffDots(composeMessage(mail, from, now))}\r\n.`, 250);
    await connection.command('QUIT', 221).catch(() => undefined);
  } finally {
    connection.close();
  }
}

/** Encrypted wherever the server can; a password never goes out in the clear. */
async function logIn(connection: SmtpConnection, server: SmtpServer): Promise<void> {
  const hello = `EHLO ${os.hostname().replace(/[^\w.-]/g, '') || 'localhost'}`;
  let offers = await connection.command(hello, 250);
  let isEncrypted = server.isSecure;
  if (!isEncrypted && hasOffer(offers, /^STARTTLS\b/i)) {
    await connection.command('STARTTLS', 220);
    await connection.upgrade();
    isEncrypted = true;
    offers = await connection.command(hello, 250);
  }
  if (!server.login) return;
  if (!isEncrypted) {
    throw new SmtpError('The mail server offers no encryption, so the password was not sent.');
  }
  const { user, password } = server.login;
  if (hasOffer(offers, /^AUTH\b.*\bPLAIN\b/i)) {
    await connection.command(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, 235);
    return;
  }
  await connection.command('AUTH LOGIN', 334);
  await connection.command(base64(user), 334);
  await connection.command(base64(password), 235);
}

function hasOffer(reply: SmtpReply, offer: RegExp): boolean {
  return reply.lines.some((line) => offer.test(line));
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

/** Nothing in an address may end the command that it stands in. */
function path(address: string): string {
  if (/[\s<>\p{Cc}]/u.test(address)) throw new SmtpError('The address cannot be written to.');
  return address;
}

/** A line of a single dot ends the message, so a leading one is doubled. */
function stuffDots(message: string): string {
  return message.replace(/^\./gm, '..').replace(/\r\n$/, '');
}
