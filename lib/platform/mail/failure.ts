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

export interface MailFailure {
  reason: MailFailureReason;
  /** True when no mailbox of the message exists or takes mail from us. */
  isPermanent: boolean;
  /** SMTP status, where the server gave one. */
  status: number | null;
  /** For people. Holds no password. */
  message: string;
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
    message: answer ? `${message} It answered: ${answer}` : message,
  });
  switch (code) {
    case 'EDNS':
      return failure('dns_failed', 'The name of the mail server was not found.');
    case 'EAUTH':
    case 'ENOAUTH':
    case 'EOAUTH2':
      return failure('sign_in_refused', 'The mail server refused the sign-in of SMTP_URL.');
    case 'EENVELOPE':
      return failure(
        'mailbox_refused',
        'The mail server takes no mail for any of the addresses.',
        status !== null && status >= 500,
      );
    case 'EMESSAGE':
      return failure('mail_refused', 'The mail server refused the message.');
    case 'ETLS':
      return failure('tls_failed', 'The TLS connection to the mail server failed.');
    case 'ETIMEDOUT':
      return failure('connection_timeout', 'The mail server did not answer in time.');
  }
  if (/ECONNREFUSED/.test(said)) {
    return failure('connection_refused', 'The mail server refused the connection.');
  }
  if (/EAI_AGAIN|ENOTFOUND/.test(said)) {
    return failure('dns_failed', 'The name of the mail server was not found.');
  }
  if (/certificate|altnames|\bSSL\b|\bTLS\b/i.test(said)) {
    return failure('tls_failed', `The TLS connection to the mail server failed: ${said}.`);
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
