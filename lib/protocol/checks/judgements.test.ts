import { describe, expect, it } from 'vitest';
import { judgeContainer, readInspect } from './container/probe';
import { shownCheck } from './describe-check';
import { isResolver } from './dns/kind';
import { failedQuery, judgeAnswers } from './dns/probe';
import { judgeAnswer } from './http/probe';
import { failureOf } from './outcome';
import { matchesCommand, parseStat } from './process/probe';
import { judgeSamples, readSamples } from './prometheus/probe';
import { readUnit } from './service/probe';
import { parseHostPort, parseTlsTarget, shownTarget } from './target';
import { judgeCertificates } from './tls/probe';

describe('matchesCommand', () => {
  it.each([
    ['nginx', ['/usr/sbin/nginx', '-g'], true],
    ['nginx', ['nginx: master process /usr/sbin/nginx'], true],
    ['nginx', ['vim', 'nginx'], false],
    ['node server.js', ['node', 'server.js', '--x'], true],
    ['/srv/app.js', ['node', '/srv/app.js'], true],
  ])('%s in %j: %s', (target, argv, expected) => {
    expect(matchesCommand(target, argv)).toBe(expected);
  });
});

it.each([
  ['db:5432', { host: 'db', port: 5432 }],
  ['[::1]:80', { host: '::1', port: 80 }],
  ['db', null],
  ['db:0', null],
  ['db:70000', null],
  ['::1:80', null],
])('parses %s', (target, expected) => {
  expect(parseHostPort(target)).toEqual(expected);
});

it.each([
  ['redis://:pa:ss@host/0', 'redis://:[redacted]@host/0'],
  ['http://host:8080/a@b', 'http://host:8080/a@b'],
  ['db:5432', 'db:5432'],
])('shows %s as %s', (target, shown) => {
  expect(shownTarget(target)).toBe(shown);
});

it.each([
  [{ type: 'http', target: 'http://a:b@x/', method: 'HEAD' }, 'http://a:[redacted]@x/ (HEAD)'],
  [{ type: 'http', target: 'http://x/', method: 'GET' }, 'http://x/'],
  [
    { type: 'dns', target: 'shop.test', recordType: 'MX', resolver: '1.1.1.1' },
    'shop.test MX @1.1.1.1',
  ],
  [{ type: 'prometheus', target: 'http://p:9090', query: 'up == 1' }, 'http://p:9090 up == 1'],
  [{ type: 'tcp', target: 'db:5432' }, 'db:5432'],
] as const)(
  '[INC-1.1] identifies a check by its target and what makes another of it: %j',
  (check, shown) => {
    expect(shownCheck(check)).toBe(shown);
  },
);

it.each([
  ['shop.test', { host: 'shop.test', port: 443 }],
  ['shop.test:8443', { host: 'shop.test', port: 8443 }],
  ['https://shop.test/x', { host: 'shop.test', port: 443 }],
  ['https://[::1]:8443', { host: '::1', port: 8443 }],
  ['[::1]', { host: '::1', port: 443 }],
  ['http://shop.test', null],
  ['shop.test:0', null],
  ['shop test', null],
])('[INC-1.1] reads the tls target %s', (target, expected) => {
  expect(parseTlsTarget(target)).toEqual(expected);
});

it.each([
  ['1.1.1.1', true],
  ['1.1.1.1:5353', true],
  ['[::1]:53', true],
  ['::1', true],
  ['dns.test', false],
  ['1.1.1.1:0', false],
])('[INC-1.1] accepts %s as a name server: %s', (text, expected) => {
  expect(isResolver(text)).toBe(expected);
});

const systemError = (code: string) => Object.assign(new Error(`x ${code}`), { code });

describe('[INC-1.1] a failure of the runner’s own host is unknown, one of the target is down', () => {
  it.each([
    ['ECONNREFUSED', 'down', 'Connection refused.'],
    ['ENOTFOUND', 'down', 'The name does not resolve.'],
    ['CERT_HAS_EXPIRED', 'down', 'The TLS certificate has expired.'],
    ['EAI_AGAIN', 'unknown', 'The runner’s name server did not respond.'],
    ['ENETUNREACH', 'unknown', 'The runner has no route to the address.'],
    ['EMFILE', 'unknown', 'The runner has too many open files.'],
    ['EWHATEVER', 'down', 'x EWHATEVER'],
  ])('%s is %s', (code, status, error) => {
    expect(failureOf(systemError(code))).toEqual({ status, error });
    expect(failureOf(new Error('wrapped', { cause: systemError(code) })).status).toBe(status);
  });

  it('takes the failure of one address of the target as proof, whatever the others are', () => {
    const errors = [systemError('ENETUNREACH'), systemError('ECONNREFUSED')];
    expect(failureOf(new AggregateError(errors))).toMatchObject({ status: 'down' });
    expect(failureOf(new AggregateError(errors.slice(0, 1)))).toMatchObject({ status: 'unknown' });
  });
});

describe('[INC-1.1] a container', () => {
  const inspected = (State: object, more: object = {}) =>
    readInspect({ code: 0, stdout: JSON.stringify({ Id: 'abc', State, ...more }), stderr: '' });

  it.each([
    ['running', undefined, 'healthy', 'running'],
    ['running', 'none', 'healthy', 'running'],
    ['running', 'healthy', 'healthy', 'running (healthy)'],
    ['running', 'starting', 'unknown', 'running (starting)'],
    ['running', 'unhealthy', 'down', 'running (unhealthy)'],
    ['running', 'odd', 'unknown', 'running (odd)'],
    ['restarting', undefined, 'degraded', 'restarting'],
    ['paused', 'healthy', 'degraded', 'paused'],
    ['exited', undefined, 'down', 'exited'],
    ['created', undefined, 'down', 'created'],
    ['dead', undefined, 'down', 'dead'],
    ['removing', undefined, 'down', 'removing'],
  ])('that is %s (%s) is %s, shown as %s', (Status, health, status, state) => {
    const Health = health === undefined ? undefined : { Status: health };
    expect(inspected({ Status, Health })).toMatchObject({ status, facts: { state } });
  });

  it('reports its restarts and its start, so that a restart is noticed', () => {
    const StartedAt = '2026-11-26T10:00:00.123Z';
    const { facts } = inspected({ Status: 'running', StartedAt }, { RestartCount: 2 });
    expect(facts).toMatchObject({
      restarts: 2,
      startedAt: StartedAt,
      instance: `abc ${StartedAt}`,
    });
    expect(judgeContainer({ State: { Status: 'exited', ExitCode: 137 } }).error).toContain('137');
  });

  it.each([
    ['Error: No such container: web', 'down'],
    ['Error response from daemon: No such container: web', 'down'],
    ['permission denied while trying to connect to the Docker daemon socket', 'unknown'],
    ['Cannot connect to the Docker daemon at unix:///var/run/docker.sock.', 'unknown'],
    ['', 'unknown'],
  ])('of which Docker says %j is %s', (stderr, status) => {
    expect(readInspect({ code: 1, stdout: '', stderr })).toMatchObject({ status });
  });

  it.each(['', 'no json', '{"State":{}}', '[]'])(
    'of which Docker prints %j is unknown',
    (stdout) => {
      expect(readInspect({ code: 0, stdout, stderr: '' })).toMatchObject({ status: 'unknown' });
    },
  );
});

describe('[INC-1.1] a systemd unit', () => {
  const shown = (properties: Record<string, string>) => {
    const lines = Object.entries(properties).map(([key, value]) => `${key}=${value}`);
    return readUnit('web.service', { code: 0, stdout: `${lines.join('\n')}\n`, stderr: '' });
  };

  it.each([
    [{ LoadState: 'loaded', ActiveState: 'active', SubState: 'running' }, 'healthy', ''],
    // In another order, and without the others: `--value` would have shifted them.
    [{ SubState: 'exited', ActiveState: 'active' }, 'healthy', ''],
    [
      { LoadState: 'not-found', ActiveState: 'inactive', SubState: 'dead' },
      'down',
      'There is no unit web.service.',
    ],
    [
      { LoadState: 'masked', ActiveState: 'inactive' },
      'down',
      'The unit is masked, so it can’t start.',
    ],
    [
      { LoadState: 'bad-setting', ActiveState: 'inactive' },
      'down',
      'The unit’s file has an error.',
    ],
    [{ LoadState: 'loaded', ActiveState: 'inactive' }, 'down', 'The unit is inactive.'],
    [
      { LoadState: 'loaded', ActiveState: 'failed', Result: 'exit-code', ExecMainStatus: '3' },
      'down',
      'The unit is failed (exit code 3).',
    ],
    [
      { LoadState: 'loaded', ActiveState: 'failed', Result: 'oom-kill' },
      'down',
      'The unit is failed (oom-kill).',
    ],
    [
      {
        LoadState: 'loaded',
        ActiveState: 'activating',
        SubState: 'auto-restart',
        Result: 'signal',
      },
      'down',
      'The unit failed and waits for its restart (signal).',
    ],
    [
      { LoadState: 'loaded', ActiveState: 'activating', SubState: 'start' },
      'degraded',
      'The unit is activating.',
    ],
    [{ LoadState: 'loaded' }, 'unknown', 'The answer of systemctl can’t be read.'],
  ])('that shows as %j is %s', (properties, status, error) => {
    expect(shown(properties)).toMatchObject({ status, error });
  });

  it('reports its state, its restarts and its invocation', () => {
    const { facts } = shown({
      ActiveState: 'active',
      SubState: 'running',
      NRestarts: '4',
      InvocationID: 'f0',
    });
    expect(facts).toEqual({ state: 'active (running)', restarts: 4, instance: 'f0' });
  });

  it.each([
    'System has not been booted with systemd as init system (PID 1). Can’t operate.',
    'Failed to connect to bus: Permission denied',
    '',
  ])('on a host that says %j is unknown', (stderr) => {
    expect(readUnit('web', { code: 1, stdout: '', stderr })).toMatchObject({ status: 'unknown' });
  });
});

it.each([
  [
    '12 (web) S 1 12 12 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1 2',
    { state: 'S', startTicks: 98765 },
  ],
  [
    '12 (a) b) c) Z 1 12 12 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 5 1 2',
    { state: 'Z', startTicks: 5 },
  ],
  ['', null],
  ['12 (web) S', null],
])('[INC-1.1] reads the start of a process from %j', (stat, expected) => {
  expect(parseStat(stat)).toEqual(expected);
});

describe('[INC-1.1] an http response', () => {
  const answer = (statusCode: number, body = '', isCut = false) => ({ statusCode, body, isCut });
  const json = { path: '$.status', equals: 'ok' };

  it.each([
    [{}, answer(199), 'down'],
    [{}, answer(200), 'healthy'],
    [{}, answer(399), 'healthy'],
    [{}, answer(400), 'down'],
    [{ expectStatus: 404 }, answer(404), 'healthy'],
    [{ expectStatus: 404 }, answer(200), 'down'],
    [{ expectText: 'ok' }, answer(200, 'all ok'), 'healthy'],
    [{ expectText: 'ok' }, answer(200, 'no'), 'degraded'],
    [{ expectJson: json }, answer(200, '{"status":"ok"}'), 'healthy'],
    [{ expectJson: json }, answer(200, '{"status":"no"}'), 'degraded'],
    [{ expectJson: json }, answer(200, '<html>'), 'degraded'],
    [{ expectJson: json }, answer(503, '{"status":"ok"}'), 'down'],
    // What was not read can't be judged.
    [{ expectJson: json }, answer(200, '{"status":"o', true), 'unknown'],
  ])('%j of %j is %s', (check, given, status) => {
    expect(judgeAnswer(check, given).status).toBe(status);
  });
});

describe('[INC-1.1] DNS answers', () => {
  it.each([
    [{}, ['10.0.0.7'], 'healthy'],
    [{}, [], 'down'],
    [{ expectValues: ['10.0.0.7'] }, ['10.0.0.8', '10.0.0.7'], 'healthy'],
    [{ expectValues: ['10.0.0.7', '10.0.0.9'] }, ['10.0.0.7'], 'degraded'],
    [{ expectValues: ['Mail.Shop.Test.'], recordType: 'NS' }, ['mail.shop.test'], 'healthy'],
    [{ expectValues: ['10  mail.shop.test'], recordType: 'MX' }, ['10 mail.shop.test'], 'healthy'],
    [{ expectValues: ['Token'], recordType: 'TXT' }, ['token'], 'degraded'],
  ] as const)('%j of %j is %s', (check, answers, status) => {
    const own = {
      ...check,
      expectValues: 'expectValues' in check ? [...check.expectValues] : undefined,
    };
    expect(judgeAnswers(own, answers).status).toBe(status);
  });

  it.each([
    ['ENOTFOUND', undefined, 'down'],
    ['ENODATA', undefined, 'down'],
    ['ESERVFAIL', undefined, 'unknown'],
    ['ETIMEOUT', undefined, 'unknown'],
    ['ECONNREFUSED', undefined, 'unknown'],
    ['EREFUSED', undefined, 'unknown'],
    ['ESERVFAIL', '10.0.0.2', 'down'],
    ['ETIMEOUT', '10.0.0.2', 'down'],
    ['EREFUSED', '10.0.0.2', 'unknown'],
    ['EODD', '10.0.0.2', 'unknown'],
  ])('%s of the name server %s is %s', (code, resolver, status) => {
    expect(failedQuery({ resolver }, code).status).toBe(status);
  });
});

describe('[INC-1.1] certificates', () => {
  const now = new Date('2026-11-26T12:00:00Z');
  const day = (offset: number) => new Date(now.getTime() + offset * 86_400_000).toUTCString();
  const certificate = (CN: string, from: number, to: number) =>
    ({ subject: { CN }, valid_from: day(from), valid_to: day(to) }) as unknown as Parameters<
      typeof judgeCertificates
    >[1]['chain'][number];
  const facts = (chain: ReturnType<typeof certificate>[], more: object = {}) => ({
    chain,
    name: 'shop.test',
    isNameWrong: false,
    error: null,
    ...more,
  });
  const good = certificate('shop.test', -10, 90);

  it.each([
    ['90 days', facts([good]), {}, 'healthy', ''],
    [
      '13 days',
      facts([certificate('shop.test', -10, 13.5)]),
      {},
      'degraded',
      'The certificate expires in 13 days, on 2026-12-10.',
    ],
    ['14 days', facts([certificate('shop.test', -10, 14.5)]), {}, 'healthy', ''],
    [
      '2 days',
      facts([certificate('shop.test', -10, 2.5)]),
      {},
      'down',
      'The certificate expires in 2 days, on 2026-11-29.',
    ],
    [
      'own limits',
      facts([certificate('shop.test', -10, 40)]),
      { warnDays: 60, failDays: 30 },
      'degraded',
      undefined,
    ],
    [
      'an intermediate under a good leaf',
      facts([good, certificate('CA 1', -10, 5.5), certificate('Root', -10, 900)]),
      {},
      'degraded',
      'The certificate of CA 1 in the chain expires in 5 days, on 2026-12-02.',
    ],
    [
      'expired',
      facts([certificate('shop.test', -10, -1)], { error: 'CERT_HAS_EXPIRED' }),
      {},
      'down',
      'The certificate expired on 2026-11-25.',
    ],
    [
      'an expired intermediate',
      facts([good, certificate('CA 1', -10, -1)]),
      {},
      'down',
      'The certificate of CA 1 in the chain expired on 2026-11-25.',
    ],
    [
      'not valid yet',
      facts([certificate('shop.test', 1, 90)], { error: 'CERT_NOT_YET_VALID' }),
      {},
      'down',
      undefined,
    ],
    [
      'another name',
      facts([good], { isNameWrong: true }),
      {},
      'down',
      'The certificate is not valid for shop.test.',
    ],
    [
      'self-signed',
      facts([good], { error: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      {},
      'down',
      'The TLS certificate is self-signed.',
    ],
    [
      'no intermediate',
      facts([good], { error: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }),
      {},
      'down',
      'The server doesn’t send the certificate that issued its own, or the runner doesn’t trust it.',
    ],
    [
      'any other error',
      facts([good], { error: 'CERT_REVOKED' }),
      {},
      'down',
      'The certificate is not trusted (CERT_REVOKED).',
    ],
    ['none', facts([]), {}, 'down', 'The server sent no certificate.'],
  ] as const)('%s', (_, given, check, status, error) => {
    const judged = judgeCertificates(check, given, now);
    expect(judged).toMatchObject(error === undefined ? { status } : { status, error });
  });
});

describe('[INC-1.1] a Prometheus query', () => {
  const at = 1_000_000;
  const sample = (value: number, labels = {}) => ({ labels, at, value });
  const check = { operator: '<', threshold: 5 } as const;

  it.each([
    ['<', 5, 4, 'healthy'],
    ['<', 5, 5, 'down'],
    ['<=', 5, 5, 'healthy'],
    ['==', 5, 5, 'healthy'],
    ['==', 5, 4, 'down'],
    ['!=', 5, 4, 'healthy'],
    ['>=', 5, 5, 'healthy'],
    ['>', 5, 5, 'down'],
    ['>', 5, Infinity, 'healthy'],
  ] as const)('with %s %d of the value %d is %s', (operator, threshold, value, status) => {
    expect(judgeSamples({ operator, threshold }, [sample(value)], at, at + 1).status).toBe(status);
  });

  it('is unknown without a result, with an old sample and with what is not a number', () => {
    expect(judgeSamples(check, [], Infinity, at)).toMatchObject({
      status: 'unknown',
      error: 'The query has no result.',
    });
    expect(judgeSamples(check, [sample(1)], at, at + 301)).toMatchObject({
      status: 'unknown',
      error: 'The oldest sample is 301 s old, over the limit of 300 s.',
    });
    const limited = { ...check, maxSampleSeconds: 400 };
    expect(judgeSamples(limited, [sample(1)], at, at + 301).status).toBe('healthy');
    expect(judgeSamples(check, [sample(1), sample(Number.NaN)], at, at).status).toBe('unknown');
  });

  it('is down with one failing series, and names it', () => {
    const samples = [sample(1, { job: 'a' }), sample(7, { __name__: 'x', job: 'b' })];
    expect(judgeSamples(check, samples, at, at)).toMatchObject({
      status: 'down',
      error: '7 is not < 5 for {job="b"}, one of 2 series.',
      facts: { value: 7, sampleSeconds: 0 },
    });
  });

  const body = (data: unknown) => JSON.stringify({ status: 'success', data });
  it.each([
    [body({ resultType: 'scalar', result: [1, '2.5e+01'] }), [{ labels: {}, at: 1, value: 25 }]],
    [
      body({ resultType: 'vector', result: [{ metric: { a: 'b' }, value: [1, '+Inf'] }] }),
      [{ labels: { a: 'b' }, at: 1, value: Infinity }],
    ],
    [body({ resultType: 'vector', result: [] }), []],
    // A native histogram has no value to compare.
    [body({ resultType: 'vector', result: [{ metric: {}, histogram: [1, {}] }] }), []],
    [
      body({ resultType: 'matrix', result: [] }),
      'Answered 200 without an instant vector or scalar.',
    ],
    ['{"status":"error","error":"parse error"}', 'It reported: parse error'],
    ['<html>', 'Answered 200 without JSON.'],
  ])('reads %s', (text, expected) => {
    expect(readSamples({ statusCode: 200, body: text, isCut: false })).toEqual(expected);
  });
});
