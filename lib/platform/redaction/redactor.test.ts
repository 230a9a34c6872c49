import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createRedactor } from './redactor';

// Megabytes of hostile text on a busy machine: a quadratic pattern would need hours.
vi.setConfig({ testTimeout: 30_000 });

const redactor = createRedactor({ secrets: [] });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0xL';

// In pieces, so that no scanner takes this file for a leak.
const jwt = `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkwIn0'}.${letters}`;
const pem = `-----BEGIN RSA ${'PRIVATE'} KEY-----\nMIIEpAIBAAKCAQEA${letters}\n${letters}==\n-----END RSA ${'PRIVATE'} KEY-----`;

const secretsByKind: [kind: string, text: string, secret: string][] = [
  ['anthropic key', `key is sk-ant-${'api03'}-${letters}, ok`, letters],
  ['openai key', `sk-${letters}`, letters],
  ['openai key', `use sk-proj-${letters}_-x`, letters],
  ['github token', `ghp_${letters}abcd`, letters],
  ['github token', `gho_${letters}abcd`, letters],
  ['github token', `ghs_${letters}abcd`, letters],
  ['github token', `github_pat_11A${letters}_${letters}`, letters],
  ['gitlab token', `glpat-${letters}`, letters],
  ['aws access key', `AKIA${'IOSFODNN7EXAMPLE'}`, 'IOSFODNN7EXAMPLE'],
  ['aws access key', `id=ASIA${'IOSFODNN7EXAMPLE'} `, 'IOSFODNN7EXAMPLE'],
  ['assigned secret', `aws_secret_access_key = wJalr/${letters}+a`, letters],
  ['slack token', `xoxb-${'123456789012'}-${letters}`, letters],
  ['slack webhook', `https://hooks.slack.com/services/T01/B02/${letters}`, letters],
  ['stripe key', `sk_live_${letters}`, letters],
  ['stripe key', `rk_live_${letters}`, letters],
  ['signing secret', `whsec_${letters}`, letters],
  ['google key', `AIza${letters}abc`, letters],
  ['jwt', `cookie session=${jwt};`, letters],
  ['private key', `before\n${pem}\nafter`, letters],
  ['private key', JSON.stringify({ file: pem }), letters],
  ['private key', `cut: -----BEGIN ${'PRIVATE'} KEY-----\n${letters}\n`, letters],
  ['basic auth', 'git clone https://bot:hunter22@git.example.com/a.git', 'hunter22'],
  ['basic auth', `Authorization: Basic ${base64('ann:hunter22')}`, base64('ann:hunter22')],
  ['connection string password', 'postgres://app:p@ss-w0rd@db:5432/shop', 'ss-w0rd'],
  ['connection string password', 'redis://:hunter22@cache:6379/0', 'hunter22'],
  ['connection string password', 'mongodb+srv://u:hunter22@c.example.net/?w=1', 'hunter22'],
  ['bearer token', `curl -H "Authorization: Bearer ${letters}"`, letters],
  ['bearer token', 'Authorization: Bearer abc.def-12', 'abc.def-12'],
  ['authorization header', 'authorization: hunter22hunter22', 'hunter22hunter22'],
  ['base64 credentials', `"auth": "${base64('registry-bot:hunter22')}"`, base64('registry-bot:hu')],
  [
    'base64 credentials',
    `data: ${base64(`sk-ant-api03-${letters}`)}`,
    base64(letters).slice(4, 20),
  ],
  ['assigned secret', '{"password":"hunter22","a":1}', 'hunter22'],
  ['assigned secret', JSON.stringify(JSON.stringify({ apiKey: 'hunter22' })), 'hunter22'],
  ['assigned secret', "'client_secret' => 'hunter22'", 'hunter22'],
  ['assigned secret', '$SECRET_NAME=hunter22', 'hunter22'],
  ['assigned secret', '$env:API_KEY = "hunter 22"', 'hunter 22'],
  ['assigned secret', 'export DB_PASSWORD=hunter22 && run', 'hunter22'],
  ['assigned secret', 'DB_PASS=hunter22', 'hunter22'],
  ['assigned secret', 'accessToken: hunter22', 'hunter22'],
  ['assigned secret', 'password: 12345678', '12345678'],
  ['assigned secret', 'mysql --password hunter22 -e 1', 'hunter22'],
  ['assigned secret', 'Server=db;Password=hunter22;Timeout=3', 'hunter22'],
];

const harmless = [
  'commit 3f2a9c1e7b5d4f60a8c2e1d3b5f7a9c0e2d4f6b8',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'session 5b0f1c9e-1d2a-4c3b-8e4f-9a0b1c2d3e4f ended',
  '/usr/local/lib/node_modules/prisma/build/index.js:12:34',
  'token_file=/run/secrets/token',
  'input_tokens: 15000, output_tokens=200, max_tokens: 4096',
  '{"inputTokens":1000,"cacheReadInputTokens":10000}',
  'the tokenizer: cl100k, passed: 12, compass: north, bypass=yes',
  'password: required',
  'API_KEY=$ANTHROPIC_API_KEY and TOKEN=$' + '{GITHUB_TOKEN}',
  'token: $' + '{{ secrets.GITHUB_TOKEN }}',
  'https://example.com:8443/a/b@c?x=y',
  'http://127.0.0.1:3000/health',
  'postgres://app@db:5432/shop',
  'Bearer authentication is used',
  'Basic authentication failed',
  'class="sk-toggleable-content-description"',
  '-----BEGIN CERTIFICATE-----',
  `${base64('just some text that is no credential')}`,
  'web: down, http http://127.0.0.1:8080/health, Connection refused.',
  '2026-11-21T20:33:12.717Z ERROR pool exhausted user=app db=shop',
];

describe('known kinds', () => {
  it.each(secretsByKind)(
    '[CKP-5.1] shows a secret as [redacted: %s] in %s',
    (kind, text, secret) => {
      const result = redactor.text(text);
      expect(result).toContain(`[redacted: ${kind}]`);
      expect(result).not.toContain(secret);
      expect(redactor.text(result)).toBe(result);
    },
  );

  it.each(harmless)('[CKP-5.1] leaves %s as it is', (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  it('finds the second of two keys that stand without a gap', () => {
    expect(redactor.text(`AIza${letters}abcghp_${letters}abcd`)).toBe(
      '[redacted: google key][redacted: github token]',
    );
  });

  it('keeps what stands around a secret', () => {
    expect(redactor.text(`a\n${pem}\nb`)).toBe('a\n[redacted: private key]\nb');
    expect(redactor.text('postgres://app:hunter22@db:5432/shop')).toBe(
      'postgres://app:[redacted: connection string password]@db:5432/shop',
    );
    expect(redactor.text('{"password":"hunter22","a":1}')).toBe(
      '{"password":"[redacted: assigned secret]","a":1}',
    );
  });
});

describe("the project's own secrets", () => {
  const secret = 'p/4 ss"wörd+x\\9';
  const own = createRedactor({
    secrets: [`${secret}\n`, 'first-line-of-it\nsecond-line-of-it', 'ab'],
  });

  it.each([
    ['as it is', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['in a query', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['JSON-escaped', JSON.stringify({ note: secret })],
    ['JSON in JSON', JSON.stringify(JSON.stringify({ note: secret }))],
    ['base64', base64(secret)],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['inside base64', base64(`x${secret}yy`)],
    ['one line of it', 'log: second-line-of-it'],
  ])('[CKP-5.1] are found %s', (_, text) => {
    expect(own.text(text)).toContain('[redacted: project secret]');
    expect(own.text(text)).not.toContain('ss"w');
  });

  const FORMS = ['base64', 'base64url'] as const;
  // Each of the three places within a group of three bytes, with ends at each of them.
  const OFFSETS = [0, 1, 2, 3, 4, 5, 100];
  it.each(FORMS.flatMap((form) => OFFSETS.map((offset) => [form, offset] as const)))(
    '[CKP-5.1] are found inside a longer text in %s that begins %i bytes before them',
    (form, offset) => {
      for (const hidden of ['hunter22?>', 'hunter22?>~', 'hunter22?>~ÿ', 'hunter22']) {
        const redacts = createRedactor({ secrets: [hidden] });
        for (const after of ['', 'y', 'yy', 'yyy', 'y'.repeat(50)]) {
          const text = Buffer.from(`${'x'.repeat(offset)}${hidden}${after}`).toString(form);
          const [before = '', rest, ...others] = redacts
            .text(`data: ${text}`)
            .slice('data: '.length)
            .split('[redacted: project secret]');
          expect(rest, `${text} in ${form}`).toBeDefined();
          expect(others).toEqual([]);
          // What is left has less than one byte of the secret on either side.
          const bytes = Buffer.byteLength(`${hidden}${after}`) + offset;
          const filler = Math.ceil((bytes * 8) / 6) * 6 - bytes * 8;
          const restBits = (rest ?? '').replaceAll('=', '').length * 6 - filler;
          expect(before.length * 6 - offset * 8).toBeLessThan(8);
          expect(restBits - after.length * 8).toBeLessThan(8);
        }
      }
    },
  );

  it('are no reason to take out two letters everywhere', () => {
    expect(own.text('about a cab')).toBe('about a cab');
  });

  it('may be a word of the marker itself', () => {
    const odd = createRedactor({ secrets: ['redacted', 'secret'] });
    const once = odd.text('this is redacted and secret');
    expect(once).toBe('this is [redacted: project secret] and [redacted: project secret]');
    expect(odd.text(once)).toBe(once);
  });
});

describe('data', () => {
  it('[CKP-5.1] reaches every string, key and secret-named field', () => {
    const value = redactor.value({
      password: 'hunter22',
      list: [{ [`sk-ant-api03-${letters}`]: 1, text: `ghp_${letters}abcd` }],
      inputTokens: 5,
      when: null,
    });
    expect(value).toEqual({
      password: '[redacted: assigned secret]',
      list: [{ '[redacted: anthropic key]': 1, text: '[redacted: github token]' }],
      inputTokens: 5,
      when: null,
    });
  });

  it('drops what is too deep, cyclic or no plain data', () => {
    let deep: unknown = `ghp_${letters}abcd`;
    for (let level = 0; level < 100; level += 1) deep = { deep };
    const cycle: Record<string, unknown> = { deep, buffer: Buffer.from('x'), run: () => 1 };
    cycle.self = cycle;
    const text = JSON.stringify(redactor.value(cycle));
    expect(text).toContain('[dropped: too deep]');
    expect(text).toContain('"buffer":"[dropped: not plain data]"');
    expect(text).not.toContain('ghp_');
  });
});

it('[CKP-5.1] is idempotent over any mixture', () => {
  const piece = fc.oneof(
    fc.constantFrom(...secretsByKind.map(([, text]) => text), ...harmless),
    fc.constantFrom('"', "'", '=', ': ', '\n', ' ', '@', '://', 'password', '-----', '[redacted: '),
    fc.string({ maxLength: 12 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const once = redactor.text(pieces.join(''));
      expect(redactor.text(once)).toBe(once);
    }),
    { numRuns: 3_000 },
  );
});

describe('hostile megabytes', () => {
  // A quadratic pattern would take minutes here and run into the test's own limit.
  it.each([
    'eyJ',
    'eyJ-',
    'sk-',
    'ghp_',
    'a',
    'A1',
    'token-',
    'password=',
    'password="',
    `-----BEGIN ${'PRIVATE'} KEY-----`,
    'https://a:',
    'a://',
    'Bearer ',
    'Basic aaaaaaaa',
    '[redacted: x',
    '\\"',
    '--a-token ',
  ])('one of %j is read in linear time', (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    expect(redactor.text(text)).toBeTypeOf('string');
  });
});

it('leaves nothing that could not be stored', () => {
  const redactor = createRedactor({ secrets: [] });
  expect(redactor.value({ 'a\0': ['b\0', 'c\ud83d'] })).toEqual({
    'a\uFFFD': ['b\uFFFD', 'c\uFFFD'],
  });
});
