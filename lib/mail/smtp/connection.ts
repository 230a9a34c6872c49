import net from 'node:net';
import tls from 'node:tls';

export interface SmtpReply {
  code: number;
  lines: string[];
}

const EVENTS = ['data', 'error', 'timeout', 'close'] as const;

/** A server that says no, with its own words. */
export class SmtpError extends Error {
  override name = 'SmtpError';
}

/** Lines to and from an SMTP server; each command waits for its reply. */
export class SmtpConnection {
  readonly #server: SmtpPlace;
  readonly #timeoutMs: number;
  #socket: net.Socket;
  #text = '';
  #lines: string[] = [];
  #waiting: { done: (reply: SmtpReply) => void; failed: (error: Error) => void } | null = null;
  #failure: Error | null = null;

  constructor(socket: net.Socket, server: SmtpPlace, timeoutMs: number) {
    this.#server = server;
    this.#timeoutMs = timeoutMs;
    this.#socket = socket;
    this.#listen();
  }

  /** Throws SmtpError for any reply but those expected. */
  async command(line: string | null, ...expected: number[]): Promise<SmtpReply> {
    const answer = this.#nextReply();
    if (line !== null) this.#socket.write(`${line}\r\n`);
    const reply = await answer;
    if (expected.includes(reply.code)) return reply;
    throw new SmtpError(
      `The mail server answered ${reply.code}: ${reply.lines.at(-1) ?? ''}`.trim(),
    );
  }

  /** Goes on encrypted; what came before the handshake does not count. */
  async upgrade(): Promise<void> {
    for (const event of EVENTS) this.#socket.removeAllListeners(event);
    const secure = tls.connect({ socket: this.#socket, ...tlsOptions(this.#server) });
    this.#socket = secure;
    this.#text = '';
    this.#lines = [];
    await ready(secure, 'secureConnect', this.#timeoutMs);
    this.#listen();
  }

  close(): void {
    this.#socket.destroy();
  }

  #listen(): void {
    this.#socket.setEncoding('utf8');
    this.#socket.setTimeout(this.#timeoutMs);
    this.#socket.on('data', (chunk: string) => this.#read(chunk));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('timeout', () => this.#fail(new SmtpError('The mail server did not answer.')));
    this.#socket.on('close', () => this.#fail(new SmtpError('The mail server hung up.')));
  }

  #nextReply(): Promise<SmtpReply> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((done, failed) => {
      this.#waiting = { done, failed };
    });
  }

  /** `250-more` goes on, `250 last` ends a reply. */
  #read(chunk: string): void {
    const parts = (this.#text + chunk).split('\r\n');
    this.#text = parts.pop() ?? '';
    for (const part of parts) {
      this.#lines.push(part.slice(4));
      if (part[3] === '-') continue;
      const reply = { code: Number(part.slice(0, 3)), lines: this.#lines };
      this.#lines = [];
      this.#waiting?.done(reply);
      this.#waiting = null;
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#waiting?.failed(error);
    this.#waiting = null;
    this.#socket.destroy();
  }
}

export interface SmtpPlace {
  host: string;
  port: number;
  /** TLS from the first byte. */
  isSecure: boolean;
  /** PEM; instead of the well-known certificate authorities. */
  certificateAuthority?: string | undefined;
}

/** Connects and reads nothing yet. */
export async function openSmtp(place: SmtpPlace, timeoutMs: number): Promise<SmtpConnection> {
  const { host, port, isSecure } = place;
  const socket = isSecure
    ? tls.connect({ host, port, ...tlsOptions(place) })
    : net.connect({ host, port });
  await ready(socket, isSecure ? 'secureConnect' : 'connect', timeoutMs);
  return new SmtpConnection(socket, place, timeoutMs);
}

function tlsOptions({ host, certificateAuthority }: SmtpPlace): tls.ConnectionOptions {
  return {
    // An address is no name that a certificate is asked for by; it is checked all the same.
    ...(net.isIP(host) ? { host } : { servername: host }),
    ...(certificateAuthority ? { ca: certificateAuthority } : {}),
  };
}

function ready(socket: net.Socket, event: string, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      socket.setTimeout(0);
      socket.off(event, arrived);
      socket.off('error', settle);
      socket.off('timeout', timedOut);
      if (error) {
        socket.destroy();
        reject(error);
      } else resolve();
    };
    const arrived = () => settle();
    const timedOut = () => settle(new SmtpError('The mail server did not answer.'));
    socket.setTimeout(timeoutMs);
    socket.once(event, arrived);
    socket.once('error', settle);
    socket.once('timeout', timedOut);
  });
}
