import { describe, expect, it } from 'vitest';
import { CHECK_KINDS, CHECK_TYPES } from '@/lib/protocol/checks/kinds';
import { type CheckSpec, checkSchema } from '@/lib/protocol/spec';
import { checkProblems, problemsOfCheck } from './check-problems';

const REQUIRED: Partial<Record<CheckSpec['type'], object>> = {
  prometheus: { query: 'up', operator: '==', threshold: 1 },
};

/** A valid check: the example of its kind. */
function check(type: CheckSpec['type'], more: object = {}): CheckSpec {
  const target = CHECK_KINDS[type].target.example;
  return checkSchema.parse({ type, target, ...REQUIRED[type], ...more });
}

describe('[INC-1.1] a check', () => {
  it.each(CHECK_TYPES)('of the type %s is valid with its defaults', (type) => {
    expect(problemsOfCheck(check(type))).toEqual({});
  });

  const expectJson = { path: '$.status', equals: 'ok' };
  it.each<[CheckSpec['type'], object]>([
    ['http', { expectJson, maxResponseMs: 500, family: 'ipv6', redirectHosts: ['login.test'] }],
    [
      'http',
      {
        headers: [
          { name: 'Accept', value: 'application/json' },
          { name: 'Host', value: 'a.test' },
        ],
      },
    ],
    ['http', { method: 'HEAD', expectStatus: 204 }],
    ['http', { everySeconds: 30, timeoutSeconds: 29 }],
    ['http', { everySeconds: 86_400, timeoutSeconds: 60 }],
    ['http', { expectJson: { path: '$.gone', exists: false } }],
    ['tls', { target: '[::1]:8443', serverName: 'shop.test', warnDays: 30, failDays: 7 }],
    ['tls', { failDays: 14 }],
    ['tcp', { expectText: 'SSH-2.0' }],
    ['dns', { recordType: 'MX', resolver: '1.1.1.1', expectValues: ['10 mail.test'] }],
    ['dns', { target: '_sip._tcp.shop.test.', recordType: 'SRV', resolver: '[::1]:5353' }],
    ['prometheus', { threshold: 0, maxSampleSeconds: 60 }],
    ['command', { exitCodes: [0, 1], expectText: 'ok' }],
    ['command', { target: 'my-probe --all', isAllowedByOwner: true }],
    ['heartbeat', { periodSeconds: 60, graceSeconds: 0 }],
  ])('%s %j is valid', (type, more) => {
    expect(problemsOfCheck(check(type, more))).toEqual({});
  });

  it.each<[CheckSpec['type'], object, string, RegExp]>([
    ['http', { target: 'shop.test' }, 'target', /^Enter a full URL/],
    ['http', { target: 'ftp://shop.test' }, 'target', /^Enter a full URL/],
    ['http', { method: 'HEAD', expectText: 'ok' }, 'expectText', /^A HEAD request gets no body/],
    ['http', { method: 'HEAD', expectJson }, 'expectJson', /^A HEAD request gets no body/],
    [
      'http',
      { expectJson: { path: '$..a', equals: 1 } },
      'expectJson.path',
      /^The path can’t be read from “\.\.a” on/,
    ],
    ['http', { expectJson: { path: '$.a' } }, 'expectJson', /^Say what the value must be/],
    [
      'http',
      { expectJson: { path: '$.a', exists: false, equals: 1 } },
      'expectJson',
      /must not exist/,
    ],
    ['http', { redirectHosts: ['https://a.test'] }, 'redirectHosts', /is not a host name/],
    ['http', { headers: [{ name: 'X Y', value: '' }] }, 'headers', /is not a header name/],
    [
      'http',
      { headers: [{ name: 'Content-Length', value: '9' }] },
      'headers',
      /set by the request itself/,
    ],
    ['http', { headers: [{ name: 'a', value: 'b\r\nc: d' }] }, 'headers', /has a character/],
    ['http', { headers: [{ name: 'a', value: '✓' }] }, 'headers', /has a character/],
    ['http', { timeoutSeconds: 60 }, 'timeoutSeconds', /below the default interval of 60 s/],
    [
      'http',
      { everySeconds: 30, timeoutSeconds: 30 },
      'timeoutSeconds',
      /below its interval of 30 s/,
    ],
    ['tls', { target: 'http://shop.test' }, 'target', /^Enter a host/],
    ['tls', { serverName: 'https://a' }, 'serverName', /^Enter a host name/],
    ['tls', { failDays: 15 }, 'failDays', /^Enter at most the 14 days/],
    ['tcp', { target: 'db-1' }, 'target', /^Enter a host and port/],
    ['tcp', { target: 'db-1:99999' }, 'target', /^Enter a host and port/],
    ['database', { target: 'mongodb://db-1' }, 'target', /^Enter a postgres/],
    ['dns', { target: 'https://shop.test' }, 'target', /^Enter a name/],
    ['dns', { target: 'shop.test:53' }, 'target', /^Enter a name/],
    ['dns', { resolver: 'dns.test' }, 'resolver', /^Enter the IP address/],
    ['prometheus', { target: 'prometheus:9090' }, 'target', /^Enter the URL/],
    ['prometheus', { query: '  ' }, 'query', /^Enter a query/],
    ['prometheus', { query: undefined }, 'query', /^Enter a query/],
    ['prometheus', { operator: undefined }, 'operator', /^Choose how/],
    ['prometheus', { threshold: undefined }, 'threshold', /^Enter the number/],
    ['command', { target: '/bin/df' }, 'target', /without a path/],
    ['command', { target: 'df | grep x' }, 'target', /runs without a shell/],
    ['command', { target: 'rm -rf /srv' }, 'target', /^rm is not in the catalog.*have an owner/],
    ['command', { target: 'docker restart web' }, 'target', /doesn’t list docker as harmless/],
    ['heartbeat', { target: '../x' }, 'target', /^Enter a name/],
    ['heartbeat', { everySeconds: 60 }, 'everySeconds', /have no field “Interval \(s\)”/],
  ])('%s %j is refused at %s', (type, more, field, text) => {
    const problems = problemsOfCheck(check(type, more));
    expect(Object.keys(problems)).toEqual([field]);
    expect(problems[field]).toMatch(text);
  });

  it.each([
    'Authorization',
    'cookie',
    'X-Api-Key',
    'X-Auth-Token',
    'x-csrf-token',
    'Proxy-Authorization',
    'X-Session',
  ])('refuses the header %s, which holds a secret', (name) => {
    expect(problemsOfCheck(check('http', { headers: [{ name, value: 'x' }] })).headers).toMatch(
      /usually holds a secret/,
    );
  });

  it('has no fields of other kinds', () => {
    const filled = {
      expectStatus: 200,
      expectText: 'x',
      method: 'GET',
      recordType: 'A',
      exitCodes: [0],
      periodSeconds: 60,
      query: 'up',
      warnDays: 14,
      family: 'auto',
    };
    for (const type of CHECK_TYPES) {
      const foreign = Object.keys(filled).filter((field) => !(field in CHECK_KINDS[type].fields));
      const problems = problemsOfCheck(check(type, filled));
      for (const field of foreign) expect(problems[field]).toContain(`of the type ${type}`);
      expect(foreign.length).toBeGreaterThan(0);
    }
  });
});

describe('[INC-1.1] the checks of a project', () => {
  const web = (...checks: CheckSpec[]) => [{ name: 'web', checks }];

  it('name the place of each problem', () => {
    const services = [
      ...web(check('http')),
      { name: 'db', checks: [check('tcp'), check('tcp', { target: 'x' })] },
    ];
    expect(Object.keys(checkProblems({ services }))).toEqual(['services.1.checks.1.target']);
  });

  it('are different from each other in a service, by what identifies them', () => {
    const both = web(check('http'), check('http', { expectText: 'ok' }));
    expect(checkProblems({ services: both })).toEqual({
      'services.0.checks.1.target':
        'This service has this check already. Combine the two, or remove one.',
    });
    expect(
      checkProblems({ services: web(check('http'), check('http', { method: 'HEAD' })) }),
    ).toEqual({});
    const queries = web(check('prometheus'), check('prometheus', { query: 'up == 0' }));
    expect(checkProblems({ services: queries })).toEqual({});
    expect(
      checkProblems({
        services: [...web(check('http')), { name: 'api', checks: [check('http')] }],
      }),
    ).toEqual({});
  });

  it('stay valid as they were saved, in whatever order their fields are', () => {
    const { type, target, timeoutSeconds } = check('http', { timeoutSeconds: 60 });
    const before = web({ type, target, timeoutSeconds });
    const same = web({ timeoutSeconds, target, type });
    expect(checkProblems({ services: same }, { services: before })).toEqual({});
    expect(
      checkProblems(
        { services: web({ type, target: `${target}/2`, timeoutSeconds }) },
        { services: before },
      ),
    ).not.toEqual({});
  });
});

describe('[INC-1.1] the timeout of a check', () => {
  const projectOf = (checks: CheckSpec, everySeconds: number | null) => ({
    ...{ services: [{ name: 'web', checks: [checks] }], monitoring: { everySeconds } },
  });

  it.each<[string, number, number | undefined, number | null, string | null]>([
    // [what, timeout, the check's interval, the project's, the interval that it has to be below]
    ['fits the project’s interval', 29, undefined, 30, null],
    [
      'takes as long as the project’s interval',
      30,
      undefined,
      30,
      'the project’s interval of 30 s',
    ],
    [
      'would fit the default, but not the project’s',
      50,
      undefined,
      30,
      'the project’s interval of 30 s',
    ],
    ['fits a longer one of the project', 60, undefined, 120, null],
    ['fits its own, longer one', 50, 60, 30, null],
    ['doesn’t fit its own, shorter one', 50, 30, 300, 'its interval of 30 s'],
    ['fits the default without monitoring', 50, undefined, null, null],
    [
      'doesn’t fit the default without monitoring',
      60,
      undefined,
      null,
      'the default interval of 60 s',
    ],
  ])('%s', (_what, timeoutSeconds, own, usual, expected) => {
    const project = projectOf(check('http', { timeoutSeconds, everySeconds: own }), usual);
    const { 'services.0.checks.0.timeoutSeconds': problem } = checkProblems(project);
    if (expected === null) expect(problem).toBeUndefined();
    else expect(problem).toContain(expected);
  });

  it('is judged again when the project’s interval changes, and not otherwise', () => {
    const slow = check('http', { timeoutSeconds: 50 });
    const field = 'services.0.checks.0.timeoutSeconds';
    expect(Object.keys(checkProblems(projectOf(slow, 30), projectOf(slow, 60)))).toEqual([field]);
    expect(Object.keys(checkProblems(projectOf(slow, 30), projectOf(slow, null)))).toEqual([field]);
    expect(checkProblems(projectOf(slow, 30), projectOf(slow, 30))).toEqual({});
    expect(checkProblems(projectOf(slow, 120), projectOf(slow, 60))).toEqual({});
  });
});

describe('[INC-1.1] the interval of a check', () => {
  it.each([
    [30, true],
    [86_400, true],
    [29, false],
    [86_401, false],
    [60.5, false],
  ])('of %d s is valid: %s', (everySeconds, isValid) => {
    const parsed = checkSchema.safeParse({ type: 'tcp', target: 'x:1', everySeconds });
    expect(parsed.success).toBe(isValid);
  });
});
