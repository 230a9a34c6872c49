/** A scripted SMTP server on loopback, with or without encryption. */
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { createCertificate } from '../webhook-receiver/certificate';

interface Script {
  offersTls?: boolean;
  /** Answers instead of the usual ones, by the command they begin with. */
  answers?: Record<string, string>;
  /** Never answers this command, nor anything after it: `.` is the end of a message. */
  silentAfter?: string;
}

export interface TestSmtpServer {
  url: (login?: string) => string;
  certificate: string;
  /** Every line that came, `[TLS]` where encryption began. */
  lines: string[];
  close(): void;
}

const USUAL: Record<string, string> = {
  'MAIL FROM': '250 Fine',
  'RCPT TO': '250 Fine',
  'AUTH PLAIN': '235 Welcome',
  DATA: '354 Go on',
  '.': '250 Taken',
  QUIT: '221 Bye',
};

export async function startSmtpServer(script: Script = {}): Promise<TestSmtpServer> {
  const { key, certificate } = createCertificate('localhost');
  const lines: string[] = [];
  const sockets = new Set<net.Socket>();

  function talk(socket: net.Socket, isEncrypted: boolean): void {
    sockets.add(socket);
    socket.on('error', () => {});
    let isData = false;
    let text = '';
    socket.on('data', (chunk) => {
      const parts = (text + chunk.toString('latin1')).split('\r\n');
      text = parts.pop() ?? '';
      for (const line of parts) {
        lines.push(line);
        if (isData && line !== '.') continue;
        isData = line === 'DATA';
        if (line === 'STARTTLS') {
          socket.removeAllListeners('data');
          socket.write('220 Go on\r\n');
          lines.push('[TLS]');
          const secure = new tls.TLSSocket(socket, { isServer: true, key, cert: certificate });
          talk(secure, true);
          return;
        }
        if (line === script.silentAfter) return;
        socket.write(`${answerTo(line, isEncrypted)}\r\n`);
      }
    });
  }

  function answerTo(line: string, isEncrypted: boolean): string {
    const answers = { ...USUAL, ...script.answers };
    const known = Object.keys(answers).find((command) => line.startsWith(command));
    if (known) return answers[known] ?? '';
    const offer = script.offersTls && !isEncrypted ? 'STARTTLS' : 'AUTH LOGIN PLAIN';
    return line.startsWith('EHLO') ? `250-localhost\r\n250 ${offer}` : '500 What?';
  }

  const server = net.createServer((socket) => {
    socket.write('220 localhost\r\n');
    talk(socket, false);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (login = '') => `smtp://${login}localhost:${port}`,
    certificate,
    lines,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
