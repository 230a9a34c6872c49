import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body as they came over the line, with the quoted-printable line breaks undone. */
  source: string;
}

export interface MailServer {
  /** SMTP_URL of it. */
  url: string;
  /** In the order of arrival. */
  received: ReceivedMail[];
  /** Addresses that are answered 550. */
  refused: Set<string>;
  close(): Promise<void>;
}

/** A real SMTP server on loopback that keeps what it is sent; at any free port where none is given. */
export async function startMailServer(atPort = 0): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      if (!refused.has(address)) return done();
      done(Object.assign(new Error('No such user'), { responseCode: 550 }));
    },
    onData(stream, { envelope }, done) {
      text(stream).then((source) => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          source: source.replaceAll('=\r\n', ''),
        });
        done();
      }, done);
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(atPort, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refused,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
