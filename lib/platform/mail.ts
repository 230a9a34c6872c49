import { createTransport } from 'nodemailer';
import { env } from './env';
import { logger } from './logger';

/** For the connection, for the greeting, and for any silence of the server after it. */
const TIMEOUT_MS = 10_000;

export interface Mail {
  to: readonly string[];
  subject: string;
  text: string;
  html?: string;
  /** The part before `@` of its Message-ID: the same over retries, so that a mailbox can tell. */
  id?: string;
}

export type MailResult = { durationMs: number } & (
  | {
      ok: true;
      status: number;
      /** The server's words. */
      message: string;
    }
  | ({ ok: false } & SendFailure)
);

export interface Mailer {
  /** Never rejects: whatever goes wrong has a name in the result. */
  send(mail: Mail): Promise<MailResult>;
}

export interface MailerOptions {
  /** `smtp://user:password@mail.example:587`; `smtps:` uses implicit TLS. */
  smtpUrl: string;
  from: string;
  timeoutMs?: number;
  /** PEM; instead of the well-known certificate authorities. */
  certificateAuthority?: string;
}

/** Whether the operator has named a mail server. Without one links are shown instead of sent. */
export function isMailConfigured(): boolean {
  return env().smtpUrl !== null;
}

/** Returns the mailer; null if SMTP_URL is not set. */
export function findMailer(): Mailer | null {
  const { smtpUrl, mailFrom, publicUrl } = env();
  if (!smtpUrl) return null;
  return createMailer({ smtpUrl, from: mailFrom ?? `tierwatch@${new URL(publicUrl).hostname}` });
}

/** Never rejects: `problem` is a sentence for the person who requested the e-mail. */
export async function sendMail(mail: {
  to: string;
  subject: string;
  text: string;
}): Promise<{ ok: true } | { ok: false; problem: string }> {
  const mailer = findMailer();
  if (!mailer) return { ok: false, problem: 'No mail server is set (SMTP_URL).' };
  const result = await mailer.send({ ...mail, to: [mail.to] });
  if (result.ok) return { ok: true };
  logger.warn({ reason: result.reason, problem: result.message }, 'mail not sent');
  return { ok: false, problem: result.message };
}

/**
 * Creates a mailer with one connection per e-mail: there are few, and a server that is down blocks
 * nothing.
 */
export function createMailer(options: MailerOptions): Mailer {
  return {
    async send(mail) {
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      let isHandedOver = false;
      const transport = openTransport(options, () => {
        isHandedOver = true;
      });
      try {
        const { response, rejected } = await transport.sendMail(messageOf(mail, options.from));
        const refused = rejected.map((each) => (typeof each === 'string' ? each : each.address));
        const message =
          refused.length > 0 ? `${response} Refused: ${refused.join(', ')}.` : response;
        const status = Number(/^\d{3}/.exec(response)?.[0] ?? 250);
        return { ok: true, status, message, durationMs: durationMs() };
      } catch (error) {
        const failure = nameMailFailure(error);
        const mayHaveArrived = isHandedOver && failure.status === null;
        return { ok: false, ...failure, mayHaveArrived, durationMs: durationMs() };
      } finally {
        transport.close();
      }
    },
  };
}

const ignore = () => {};
const SILENT = {
  level: ignore,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
};

/** @param onHandedOver called once the server has the whole message */
function openTransport(
  { smtpUrl, timeoutMs = TIMEOUT_MS, certificateAuthority }: MailerOptions,
  onHandedOver: () => void,
) {
  // Not as `url`: beside one, nodemailer ignores every other option.
  const { auth, ...server } = readSmtpUrl(smtpUrl);
  return createTransport({
    ...server,
    ...(auth ? { auth } : {}),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    logger: {
      ...SILENT,
      // nodemailer says this nowhere else: its own timeouts look the same before and after.
      info: (entry: unknown) => {
        if (textOf(entry, 'tnx') === 'message') onHandedOver();
      },
    },
    // Encrypted wherever the server can; a password never goes out in the clear.
    requireTLS: auth !== null,
    ...(certificateAuthority ? { tls: { ca: certificateAuthority } } : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function messageOf({ id, to, ...content }: Mail, from: string) {
  return {
    ...content,
    from: { name: 'Tierwatch', address: from },
    // As objects they are one address each, whatever is written in them.
    to: to.map((address) => ({ name: '', address })),
    ...(id ? { messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>` } : {}),
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

interface SmtpServer {
  host: string;
  port: number;
  /** Implicit TLS. */
  secure: boolean;
  auth: { user: string; pass: string } | null;
}

/** `smtp://user:password@mail.example:587`; `smtps:` uses implicit TLS. */
export function readSmtpUrl(text: string): SmtpServer {
  const url = new URL(text);
  const secure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    auth: user ? { user, pass: decodeURIComponent(url.password) } : null,
  };
}

/** Why a mail was not taken. The names are stored and shown. */
type MailFailureReason =
  | 'dns_failed'
  | 'connection_refused'
  | 'connection_timeout'
  | 'tls_failed'
  | 'sign_in_refused'
  | 'mailbox_refused'
  | 'mail_refused'
  | 'other';

interface MailFailure {
  reason: MailFailureReason;
  /** True when no mailbox of the message exists or accepts mail from us. */
  isPermanent: boolean;
  /** SMTP status, where the server gave one. */
  status: number | null;
  /** For people. Holds no password. */
  message: string;
}

/** A failure of a message, with whether its recipient may have it nevertheless. */
interface SendFailure extends MailFailure {
  /** The server had the whole message and never answered. */
  mayHaveArrived: boolean;
}

/** Names what nodemailer gave. */
export function nameMailFailure(error: unknown): MailFailure {
  const code = textOf(error, 'code');
  const status = numberOf(error, 'responseCode');
  const said = textOf(error, 'message');
  const answer = textOf(error, 'response').slice(0, 500);
  const failure = (reason: MailFailureReason, message: string, isPermanent = false) => ({
    reason,
    isPermanent,
    status,
    message: answer ? `${message} Its response: ${answer}` : message,
  });
  switch (code) {
    case 'EDNS':
      return failure('dns_failed', 'The host name of the mail server could not be resolved.');
    case 'EAUTH':
    case 'ENOAUTH':
    case 'EOAUTH2':
      return failure('sign_in_refused', 'The mail server rejected the credentials in SMTP_URL.');
    case 'EENVELOPE':
      return failure(
        'mailbox_refused',
        'The mail server rejected all of the addresses.',
        status !== null && status >= 500,
      );
    case 'EMESSAGE':
      return failure('mail_refused', 'The mail server refused the message.');
    case 'ETLS':
      return failure('tls_failed', 'The TLS connection to the mail server failed.');
    case 'ETIMEDOUT':
      return failure('connection_timeout', 'The mail server didn’t respond in time.');
  }
  if (/ECONNREFUSED/.test(said)) {
    return failure('connection_refused', 'The mail server refused the connection.');
  }
  if (/EAI_AGAIN|ENOTFOUND/.test(said)) {
    return failure('dns_failed', 'The host name of the mail server could not be resolved.');
  }
  if (/certificate|altnames|\bSSL\b|\bTLS\b/i.test(said)) {
    const why = 'Its certificate may have expired, or be for another name.';
    return failure('tls_failed', `The TLS connection to the mail server failed. ${why}`);
  }
  return failure('other', 'The connection to the mail server failed.');
}

function textOf(error: unknown, key: string): string {
  const value = typeof error === 'object' && error !== null ? Reflect.get(error, key) : undefined;
  return typeof value === 'string' ? value : '';
}

function numberOf(error: unknown, key: string): number | null {
  const value = typeof error === 'object' && error !== null ? Reflect.get(error, key) : undefined;
  return typeof value === 'number' ? value : null;
}
