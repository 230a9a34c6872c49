export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  auth: { user: string; pass: string } | null;
}

/** `smtp://user:password@mail.example:587`; `smtps:` speaks TLS from the first byte. */
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
