/** Checks over real sockets: web servers, a DNS server and a Prometheus-shaped one on loopback. */
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type DnsAnswer, record, startDnsServer } from '@/tests/support/checks/dns-server';
import { createServers, headersOf } from '@/tests/support/checks/servers';
import { checkSchema } from '../spec';
import { findAddresses } from './addresses';
import { probeDns } from './dns/probe';
import { probeHttp } from './http/probe';
import type { CheckType } from './kinds';
import { ProbeError, type ProbeResult } from './outcome';
import { runCheck } from './run-check';
import { probeTcp } from './tcp/probe';
import { probeTls } from './tls/probe';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const servers = createServers();
afterEach(() => servers.close());

function check(type: CheckType, target: string, more: object = {}) {
  return runCheck(checkSchema.parse({ type, target, ...more }), 'web');
}

describe('[INC-1.1] an http check', () => {
  it('reports the address, the phases and every hop, without queries', async () => {
    const url = await servers.web((request, response) => {
      if (request.url === '/old?token=x')
        response.writeHead(301, { location: '/new?token=y' }).end();
      else response.end('ok');
    });
    const { facts, status } = await check('http', `${url}/old?token=x`);
    expect(status).toBe('healthy');
    expect(facts).toMatchObject({
      address: '127.0.0.1',
      statusCode: 200,
      hops: [`301 ${url}/old`, `200 ${url}/new`],
      phases: {
        dnsMs: null,
        connectMs: expect.any(Number),
        tlsMs: null,
        firstByteMs: expect.any(Number),
      },
    });
  });

  it('times the look-up of a name', async () => {
    const port = await servers.tcp((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    });
    const { facts } = await check('http', `http://localhost:${port}/`, { family: 'ipv4' });
    expect(facts?.phases?.dnsMs).toEqual(expect.any(Number));
  });

  it('does not follow to another host, unless the check allows it', async () => {
    const login = await servers.web((_, response) => response.end('please log in'));
    const elsewhere = login.replace('127.0.0.1', 'localhost');
    const url = await servers.web((_, response) =>
      response.writeHead(302, { location: `${elsewhere}/login?next=1` }).end(),
    );
    expect(await check('http', url)).toMatchObject({
      status: 'down',
      error: `Redirected to ${elsewhere}/login, which is another host. If that is right, allow the host in the check.`,
      facts: { statusCode: 302, hops: [`302 ${url}/`] },
    });
    const allowed = { redirectHosts: ['localhost'], family: 'ipv4' };
    expect(await check('http', url, allowed)).toMatchObject({
      status: 'healthy',
      facts: { hops: [`302 ${url}/`, `200 ${elsewhere}/login`] },
    });
  });

  it('sends its method and headers', async () => {
    const seen: unknown[] = [];
    const url = await servers.web((request, response) => {
      seen.push({ method: request.method, ...headersOf(request) });
      response.end('ok');
    });
    await check('http', url, {
      method: 'HEAD',
      headers: [
        { name: 'Accept', value: 'application/json' },
        { name: 'X-Probe', value: 'tierwatch' },
      ],
    });
    expect(seen).toEqual([
      {
        method: 'HEAD',
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'tierwatch-check',
        'x-probe': 'tierwatch',
      },
    ]);
  });

  it('opens a connection per execution and request', async () => {
    let connections = 0;
    const url = await servers.web((request, response) => {
      request.socket.once('close', () => {});
      if (request.url === '/0') response.writeHead(302, { location: '/1' }).end();
      else response.end('ok');
    });
    const counted = await servers.tcp((socket) => {
      connections += 1;
      socket.once('data', () => {
        const answer =
          connections % 2 === 1
            ? 'HTTP/1.1 302 Found\r\nlocation: /1\r\nconnection: keep-alive\r\ncontent-length: 0\r\n\r\n'
            : 'HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok';
        socket.write(answer);
      });
    });
    expect((await check('http', `${url}/0`)).status).toBe('healthy');
    const target = `http://127.0.0.1:${counted}/0`;
    await check('http', target, { expectText: 'ok' });
    await check('http', target, { expectText: 'ok' });
    expect(connections).toBe(4);
  });

  it.each([
    [1, 'healthy', '', 2],
    [2, 'down', 'The connection was reset.', 2],
  ])('after %d resets in a row is %s', async (resets, status, error, connections) => {
    let seen = 0;
    const port = await servers.tcp((socket) => {
      seen += 1;
      if (seen <= resets) socket.resetAndDestroy();
      else socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
    });
    expect(await check('http', `http://127.0.0.1:${port}/`)).toMatchObject({ status, error });
    expect(seen).toBe(connections);
  });

  it('does not try a refused connection again', async () => {
    const port = await servers.freePort();
    expect(await check('http', `http://127.0.0.1:${port}`)).toMatchObject({
      status: 'down',
      error: 'Connection refused.',
    });
  });

  it('is degraded above its slowest response, and healthy below', async () => {
    const url = await servers.web((_, response) => {
      setTimeout(() => response.end('late'), 60);
    });
    const slow = await check('http', url, { maxResponseMs: 20, expectText: 'late' });
    expect(slow).toMatchObject({ status: 'degraded' });
    expect(slow.error).toBe(`Took ${slow.responseTimeMs} ms, over the limit of 20 ms.`);
    expect(await check('http', url, { maxResponseMs: 30_000 })).toMatchObject({
      status: 'healthy',
    });
  });

  it('reads a value of a JSON response, also one that comes in pieces', async () => {
    const url = await servers.web((_, response) => {
      response.write('{"checks":[{"name":"db","sta');
      setImmediate(() => response.end('te":"ü"}]}'));
    });
    const expectJson = { path: '$.checks[0].state', equals: 'ü' };
    expect(await check('http', url, { expectJson })).toMatchObject({ status: 'healthy' });
    const other = { path: '$.checks[0].state', equals: 'ok' };
    expect(await check('http', url, { expectJson: other })).toMatchObject({
      status: 'degraded',
      error: '$.checks[0].state is "ü", not "ok".',
    });
  });

  it('does not judge JSON that is longer than what it reads', async () => {
    const url = await servers.web((_, response) => {
      response.end(`{"status":"ok","rest":"${'x'.repeat(1_100_000)}"}`);
    });
    const expectJson = { path: '$.status', equals: 'ok' };
    expect(await check('http', url, { expectJson })).toMatchObject({ status: 'unknown' });
  });

  it('connects over the IP version that it names, and no other', async () => {
    const url = await servers.web((_, response) => response.end('ok'));
    const named = url.replace('127.0.0.1', 'localhost');
    expect(await check('http', named, { family: 'ipv4' })).toMatchObject({
      status: 'healthy',
      facts: { address: '127.0.0.1' },
    });
    expect(await check('http', url, { family: 'ipv6' })).toMatchObject({
      status: 'down',
      error: 'The name has no IPv6 address.',
    });
  });
});

describe('[INC-1.1] the name server of the runner', () => {
  const again = Object.assign(new Error('EAI_AGAIN'), { code: 'EAI_AGAIN' });
  const found = [{ address: '10.0.0.7', family: 4 }];
  const context = { whenTimeIsUp() {} };

  it('is asked once more when it does not respond', async () => {
    const lookup = vi.fn().mockRejectedValueOnce(again).mockResolvedValueOnce(found);
    expect(await findAddresses('shop.test', undefined, context, lookup)).toEqual(found);
    expect(lookup).toHaveBeenCalledTimes(2);
  });

  it('is not asked a third time, and its failure is the runner’s', async () => {
    const lookup = vi.fn().mockRejectedValue(again);
    await expect(findAddresses('shop.test', undefined, context, lookup)).rejects.toBe(again);
    expect(lookup).toHaveBeenCalledTimes(2);
  });

  it('is not asked again for a name that does not exist', async () => {
    const missing = Object.assign(new Error('x'), { code: 'ENOTFOUND' });
    const lookup = vi.fn().mockRejectedValue(missing);
    await expect(findAddresses('shop.test', undefined, context, lookup)).rejects.toBe(missing);
    expect(lookup).toHaveBeenCalledTimes(1);
    await expect(findAddresses('shop.test', 'ipv6', context, lookup)).rejects.toMatchObject({
      result: { status: 'down', error: 'The name has no IPv6 address.' },
    });
  });

  it('yields addresses of the family alone', async () => {
    const both = [...found, { address: '::7', family: 6 }];
    const lookup = vi.fn().mockResolvedValue(both);
    const found6 = await findAddresses('shop.test', 'ipv6', context, lookup);
    expect(found6).toEqual([{ address: '::7', family: 6 }]);
    const none = findAddresses('shop.test', 'ipv6', context, vi.fn().mockResolvedValue(found));
    await expect(none).rejects.toBeInstanceOf(ProbeError);
  });

  it('is the reason when the time is up before it has answered', async () => {
    let whenTimeIsUp: ProbeResult | null = null;
    const set = (result: ProbeResult | null) => {
      whenTimeIsUp = result;
    };
    const lookup = vi.fn(async () => {
      expect(whenTimeIsUp).toMatchObject({ status: 'unknown' });
      return found;
    });
    await findAddresses('shop.test', undefined, { whenTimeIsUp: set }, lookup);
    expect(whenTimeIsUp).toBeNull();
  });
});

describe('[INC-1.1] a tcp check', () => {
  it('reports the address, and compares the first words of the server', async () => {
    const port = await servers.tcp((socket) => {
      socket.write('SSH-2.0-Op');
      setImmediate(() => socket.write('enSSH_9.2\r\n'));
    });
    const target = `127.0.0.1:${port}`;
    expect(await check('tcp', target)).toMatchObject({
      status: 'healthy',
      facts: { address: '127.0.0.1' },
    });
    expect(await check('tcp', target, { expectText: 'OpenSSH' })).toMatchObject({
      status: 'healthy',
    });
    const wrong = { expectText: 'dropbear', timeoutSeconds: 1 };
    expect(await check('tcp', target, wrong)).toMatchObject({
      status: 'degraded',
      error: 'Connected, but the server did not send "dropbear".',
      facts: { address: '127.0.0.1' },
    });
  });

  it('is degraded where the server closes without a word', async () => {
    const port = await servers.tcp((socket) => socket.end());
    expect(await check('tcp', `127.0.0.1:${port}`, { expectText: 'x' })).toMatchObject({
      status: 'degraded',
    });
  });
});

describe('[INC-1.1] a dns check', () => {
  async function resolver(answers: Record<string, DnsAnswer>) {
    const server = await startDnsServer((query) => answers[query]);
    servers.onClose(server.close);
    return server;
  }

  it.each([
    ['A', 'shop.test A', [record.a('10.0.0.7'), record.a('10.0.0.8')], ['10.0.0.7', '10.0.0.8']],
    ['MX', 'shop.test MX', [record.mx(10, 'mail.shop.test')], ['10 mail.shop.test']],
    ['TXT', 'shop.test TXT', [record.txt('v=spf1 ', '-all')], ['v=spf1 -all']],
    ['NS', 'shop.test NS', [record.name('ns1.shop.test')], ['ns1.shop.test']],
    ['CNAME', 'shop.test CNAME', [record.name('edge.test')], ['edge.test']],
    ['PTR', 'shop.test PTR', [record.name('host.test')], ['host.test']],
    ['SRV', 'shop.test SRV', [record.srv(1, 2, 5222, 'x.test')], ['1 2 5222 x.test']],
    [
      'CAA',
      'shop.test CAA',
      [record.caa(0, 'issue', 'letsencrypt.org')],
      ['0 issue letsencrypt.org'],
    ],
  ] as const)('reads %s records', async (recordType, query, data, answers) => {
    const server = await resolver({ [query]: [...data] });
    const own = { recordType, resolver: server.address };
    expect(await check('dns', 'shop.test', own)).toMatchObject({
      status: 'healthy',
      target: `shop.test ${recordType} @${server.address}`,
      facts: { answers },
    });
    expect(await check('dns', 'shop.test', { ...own, expectValues: [answers[0]] })).toMatchObject({
      status: 'healthy',
    });
    expect(await check('dns', 'shop.test', { ...own, expectValues: ['other'] })).toMatchObject({
      status: 'degraded',
      error: `The name resolves to ${answers.join(', ')}, without other.`,
    });
  });

  it.each([
    ['NXDOMAIN', 'down', 'The name does not resolve.'],
    [[], 'down', 'The name has no MX record.'],
    ['SERVFAIL', 'down', 'reported a failure.'],
    ['REFUSED', 'unknown', 'refuses queries from the runner.'],
    ['silent', 'down', 'did not respond.'],
  ] as const)('of a server that answers %j is %s', async (answer, status, error) => {
    const server = await resolver({ 'shop.test MX': typeof answer === 'string' ? answer : [] });
    const own = { recordType: 'MX', resolver: server.address, timeoutSeconds: 1 };
    const outcome = await check('dns', 'shop.test', own);
    expect(outcome).toMatchObject({ status });
    expect(outcome.error).toContain(error);
    expect(server.queries[0]).toBe('shop.test MX');
  });

  it('asks a server that is silent twice at most', async () => {
    const server = await resolver({ 'shop.test A': 'silent' });
    await check('dns', 'shop.test', { resolver: server.address, timeoutSeconds: 1 });
    expect(server.queries.length).toBeLessThanOrEqual(2);
  });
});

describe('[INC-1.1] a prometheus check', () => {
  const vector = (...samples: [labels: object, at: number, value: string][]) =>
    JSON.stringify({
      status: 'success',
      data: {
        resultType: 'vector',
        result: samples.map(([metric, at, value]) => ({ metric, value: [at, value] })),
      },
    });
  const nowSeconds = () => Math.floor(Date.now() / 1_000);
  const rule = { query: 'up{job="shop"}', operator: '==', threshold: 1 };

  /** Answers each query by its text; the timestamp of samples is a query of its own. */
  function prometheus(answers: Record<string, string>) {
    const queries: string[] = [];
    const url = servers.web((request, response) => {
      const asked = new URL(request.url ?? '', 'http://x');
      const query = asked.searchParams.get('query') ?? '';
      queries.push(`${asked.pathname} ${query}`);
      const body = answers[query];
      if (body === undefined)
        response.writeHead(400).end('{"status":"error","error":"parse error"}');
      else response.end(body);
    });
    return { url, queries };
  }

  it('compares the value, below a path as well', async () => {
    const { url, queries } = prometheus({
      [rule.query]: vector([{ job: 'shop' }, nowSeconds(), '1']),
      [`timestamp(${rule.query})`]: vector([{}, nowSeconds(), String(nowSeconds() - 20)]),
    });
    const outcome = await check('prometheus', `${await url}/prom/`, rule);
    expect(outcome).toMatchObject({
      status: 'healthy',
      target: `${await url}/prom/ ${rule.query}`,
      facts: { value: 1 },
    });
    expect(outcome.facts?.sampleSeconds).toBeGreaterThanOrEqual(20);
    expect(queries.toSorted()).toEqual([
      `/prom/api/v1/query timestamp(${rule.query})`,
      `/prom/api/v1/query ${rule.query}`,
    ]);
  });

  it('is down where the value fails', async () => {
    const { url } = prometheus({ [rule.query]: vector([{ job: 'shop' }, nowSeconds(), '0']) });
    expect(await check('prometheus', await url, rule)).toMatchObject({
      status: 'down',
      error: '0 is not == 1 for {job="shop"}.',
    });
  });

  it('is unknown where the samples behind a fresh evaluation are old', async () => {
    const { url } = prometheus({
      [rule.query]: vector([{}, nowSeconds(), '1']),
      [`timestamp(${rule.query})`]: vector([{}, nowSeconds(), String(nowSeconds() - 1_000)]),
    });
    const outcome = await check('prometheus', await url, rule);
    expect(outcome.status).toBe('unknown');
    expect(outcome.error).toMatch(/^The oldest sample is 100\d s old, over the limit of 300 s\.$/);
  });

  it.each([
    ['no result', vector(), 'The query has no result.'],
    ['a page', '<html>', 'Prometheus could not be queried. Answered 200 without JSON.'],
    ['an error', undefined, 'Prometheus could not be queried. It reported: parse error'],
  ])('is unknown with %s', async (_, body, error) => {
    const { url } = prometheus(body === undefined ? {} : { [rule.query]: body });
    expect(await check('prometheus', await url, rule)).toMatchObject({ status: 'unknown', error });
  });

  it('is unknown where Prometheus does not respond', async () => {
    const refused = `http://127.0.0.1:${await servers.freePort()}`;
    expect(await check('prometheus', refused, rule)).toMatchObject({
      status: 'unknown',
      error: 'Prometheus could not be queried. Connection refused.',
    });
    const silent = await servers.web(() => {});
    expect(await check('prometheus', silent, { ...rule, timeoutSeconds: 1 })).toMatchObject({
      status: 'unknown',
      error: 'Prometheus did not respond in time.',
    });
  });
});

describe('[INC-1.1] a check whose time is up before it connects', () => {
  const late = { signal: AbortSignal.abort(), whenTimeIsUp() {} };

  it('holds no connection to a silent server', async () => {
    const ended: Promise<unknown>[] = [];
    const port = await servers.tcp((socket) => {
      socket.resume();
      ended.push(once(socket, 'close'));
    });
    const target = `127.0.0.1:${port}`;
    const spec = (type: CheckType, own = target) => checkSchema.parse({ type, target: own });
    await expect(probeTls(spec('tls'), late)).rejects.toThrow('aborted');
    await expect(probeTcp(spec('tcp'), late)).rejects.toThrow('aborted');
    await expect(probeHttp(spec('http', `http://${target}/`), late)).rejects.toThrow(/abort/);
    await Promise.all(ended);
  });

  it('waits for no answer of a silent name server', async () => {
    const server = await startDnsServer(() => 'silent');
    servers.onClose(server.close);
    const fields = {
      type: 'dns',
      target: 'shop.test',
      resolver: server.address,
      timeoutSeconds: 60,
    };
    expect(await probeDns(checkSchema.parse(fields), late)).toMatchObject({ status: 'unknown' });
  });
});

describe('[INC-1.1] what a runner can’t perform', () => {
  it('refuses a heartbeat, which isn’t for runners', async () => {
    expect(await check('heartbeat', 'nightly-backup')).toMatchObject({
      status: 'unknown',
      error: 'A heartbeat is received by the control plane. A runner can’t check it.',
      responseTimeMs: null,
    });
  });

  it('judges no target by a deadline that it noticed late', async () => {
    const port = await servers.tcp(() => {});
    const pending = check('http', `http://127.0.0.1:${port}`, { timeoutSeconds: 1 });
    // As long as the loop of this process is busy, nothing notices the deadline.
    const until = performance.now() + 2_500;
    while (performance.now() < until);
    expect(await pending).toMatchObject({
      status: 'unknown',
      error: expect.stringMatching(/^The runner was busy for \d s/),
    });
  });
});
