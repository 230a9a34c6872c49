/** Checks of real TLS servers, by a process that trusts the authority of these tests. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createServer, type TlsOptions } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckOutcome } from '@/lib/protocol/checks/run-check';
import { type Certificate, makeCertificate } from '@/tests/support/checks/certificates';
import { createServers } from '@/tests/support/checks/servers';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS + 3_600_000);

const servers = createServers();
const outcomes = new Map<string, CheckOutcome>();
let dir = '';

const root = makeCertificate({ name: 'Test Root', isAuthority: true, to: inDays(3_650) });
const authority = (days: number) =>
  makeCertificate({ name: 'Test CA 1', issuer: root, isAuthority: true, to: inDays(days) });
const intermediate = authority(1_000);
const leaf = (name: string, days: number, issuer: Certificate = intermediate, from?: Date) =>
  makeCertificate({ name, issuer, from, to: inDays(days) });
const serving = (certificate: Certificate, ...chain: Certificate[]): TlsOptions => ({
  key: certificate.keyPem,
  cert: [certificate, ...chain].map(({ certPem }) => certPem).join(''),
});
const expiring = authority(5);

const CASES: Record<
  string,
  { server: TlsOptions | 'plain' | 'silent'; check?: object; host?: string }
> = {
  good: { server: serving(leaf('localhost', 90), intermediate) },
  'by address': { server: serving(leaf('127.0.0.1', 90), intermediate), host: '127.0.0.1' },
  'soon expiring': { server: serving(leaf('localhost', 10), intermediate) },
  'almost expired': { server: serving(leaf('localhost', 1), intermediate) },
  'own limits': {
    server: serving(leaf('localhost', 40), intermediate),
    check: { warnDays: 60, failDays: 50 },
  },
  'expiring intermediate': { server: serving(leaf('localhost', 90, expiring), expiring) },
  expired: { server: serving(leaf('localhost', -1, intermediate, inDays(-30)), intermediate) },
  'not valid yet': {
    server: serving(leaf('localhost', 90, intermediate, inDays(2)), intermediate),
  },
  'another name': { server: serving(leaf('shop.test', 90), intermediate) },
  'the name asked for': {
    server: serving(leaf('shop.test', 90), intermediate),
    check: { serverName: 'shop.test' },
  },
  'no intermediate': { server: serving(leaf('localhost', 90)) },
  'self-signed': { server: serving(makeCertificate({ name: 'localhost', to: inDays(90) })) },
  plain: { server: 'plain' },
  silent: { server: 'silent', check: { timeoutSeconds: 1 } },
};

async function portOf(server: TlsOptions | 'plain' | 'silent'): Promise<number> {
  if (server === 'plain') {
    return servers.tcp((socket) => socket.end('220 mail.test ESMTP\r\n'));
  }
  if (server === 'silent') return servers.tcp(() => {});
  const listening = createServer(server, (socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
  });
  listening.on('tlsClientError', () => {});
  return servers.listen(listening);
}

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'check-tls-'));
  const trusted = path.join(dir, 'root.pem');
  await writeFile(trusted, root.certPem);
  const checks: Record<string, object> = {};
  for (const [name, { server, check, host = 'localhost' }] of Object.entries(CASES)) {
    const target = `${host}:${await portOf(server)}`;
    checks[name] = { type: 'tls', target, family: 'ipv4', timeoutSeconds: 10, ...check };
    const https = {
      type: 'http',
      target: `https://${target}/`,
      family: 'ipv4',
      timeoutSeconds: 10,
    };
    if (typeof server !== 'string') checks[`https ${name}`] = https;
  }
  const code = `
    const { runCheck } = await import('@/lib/protocol/checks/run-check');
    const checks = JSON.parse(process.argv[1]);
    const found = await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check, 'web')]));
    console.log(JSON.stringify(found));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', code, JSON.stringify(checks)],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: trusted } },
  );
  for (const [name, outcome] of JSON.parse(stdout)) outcomes.set(name, outcome);
});

afterAll(async () => {
  await servers.close();
  await rm(dir, { recursive: true, force: true });
});

describe('[INC-1.1] a tls check', () => {
  const until = (days: number) => inDays(days).toISOString().slice(0, 10);
  it.each([
    ['good', 'healthy', ''],
    ['by address', 'healthy', ''],
    ['soon expiring', 'degraded', `The certificate expires in 10 days, on ${until(10)}.`],
    ['almost expired', 'down', `The certificate expires in 1 day, on ${until(1)}.`],
    ['own limits', 'down', `The certificate expires in 40 days, on ${until(40)}.`],
    [
      'expiring intermediate',
      'degraded',
      `The certificate of Test CA 1 in the chain expires in 5 days, on ${until(5)}.`,
    ],
    ['expired', 'down', `The certificate expired on ${until(-1)}.`],
    ['another name', 'down', 'The certificate is not valid for localhost.'],
    ['the name asked for', 'healthy', ''],
    [
      'no intermediate',
      'down',
      'The server doesn’t send the certificate that issued its own, or the runner doesn’t trust it.',
    ],
    ['self-signed', 'down', 'The TLS certificate is self-signed.'],
    ['plain', 'down', 'The port doesn’t speak TLS.'],
    ['silent', 'down', 'No TLS handshake within 1 s.'],
  ])('%s is %s', (name, status, error) => {
    expect(outcomes.get(name)).toMatchObject({ status, error });
  });

  it('says from when a certificate is valid', () => {
    const { status, error } = outcomes.get('not valid yet') ?? {};
    expect(status).toBe('down');
    expect(error).toMatch(/^A certificate in the chain is not valid before 20/);
  });

  it('reports the days left and the address, also of a certificate that it rejects', () => {
    const facts = (name: string) => outcomes.get(name)?.facts;
    expect(facts('good')).toMatchObject({ daysLeft: 90, address: '127.0.0.1' });
    expect(facts('expiring intermediate')).toMatchObject({ daysLeft: 5 });
    expect(facts('self-signed')).toMatchObject({ daysLeft: 90 });
  });
});

describe('[INC-1.1] an https check', () => {
  it.each([
    ['good', 'healthy'],
    ['expired', 'down'],
    ['another name', 'down'],
    ['self-signed', 'down'],
    ['no intermediate', 'down'],
  ])('of a certificate that is %s is %s', (name, status) => {
    expect(outcomes.get(`https ${name}`)).toMatchObject({ status });
  });

  it('times the handshake', () => {
    expect(outcomes.get('https good')?.facts?.phases).toEqual({
      dnsMs: expect.any(Number),
      connectMs: expect.any(Number),
      tlsMs: expect.any(Number),
      firstByteMs: expect.any(Number),
    });
  });
});
