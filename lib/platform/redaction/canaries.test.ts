import { describe, expect, it, vi } from 'vitest';
import { CANARIES, type Canary, IN_CONTEXT, KEYS } from '@/tests/support/redaction/canaries';
import { INNOCENTS } from '@/tests/support/redaction/innocents';
import { createRedactor } from './redactor';

vi.setConfig({ testTimeout: 60_000 });

const redactor = createRedactor({ secrets: [] });
const json = (value: unknown) => JSON.stringify(value);

type Place = [name: string, put: (text: string) => string];
const PLACES: Place[] = [
  ['alone', (text) => text],
  ['in a log', (text) => `2026-11-21T20:33:12Z INFO ${text}\nnext line`],
  ['in a shell line', (text) => `cd /srv && ${text}; echo done`],
  ['in JSON', (text) => json({ log: `before ${text} after` })],
  ['in JSON in JSON', (text) => json(json({ log: text }))],
  ['behind a line in JSON', (text) => json({ log: `first\n${text}\nlast` })],
  ['behind a tab in JSON in JSON', (text) => json(json({ log: `first\t${text}` }))],
  ['in color', (text) => `\u001b[32m${text}\u001b[0m and more`],
  ['in color in JSON', (text) => json({ log: `\u001b[1;31m${text}\u001b[0m` })],
  ['behind an escape of JSON', (text) => `{"log":"a\\u003d${json(text).slice(1)}}`],
];
const PLACES_OF_KEYS: Place[] = [
  ...PLACES,
  ['in quotes', (text) => `run --with '${text}' "${text}"`],
  ['in a query', (text) => `https://example.com/a?q=${text}&limit=5`],
  ['encoded in a query', (text) => `https://example.com/a?q=${encodeURIComponent(text)}&limit=5`],
  ['in quotes in a query', (text) => `/a?q=${encodeURIComponent(`{"k":"${text}"}`)}`],
  ['in a header', (text) => `X-Thing: ${text}`],
  ['behind an equals sign', (text) => `THING=${text}`],
];

function isLeftIn(shown: string, { secret }: Canary): boolean {
  const escaped = json(secret).slice(1, -1);
  return [secret, escaped, encodeURIComponent(secret)].some((form) => shown.includes(form));
}

function expectHidden(canary: Canary, places: readonly Place[]): void {
  for (const [place, put] of places) {
    const shown = redactor.text(put(canary.text));
    expect(shown, place).toContain('[redacted: ');
    expect(isLeftIn(shown, canary), `${place}: ${shown}`).toBe(false);
    expect(redactor.text(shown), place).toBe(shown);
  }
}

it('[SEC-2.1] knows more than 80 formats', () => {
  expect(new Set(CANARIES.map(({ name }) => name)).size).toBe(CANARIES.length);
  expect(CANARIES.length).toBeGreaterThan(80);
  expect(INNOCENTS.length).toBeGreaterThan(40);
});

it.each(KEYS)('[SEC-2.1] a key of $name is shown nowhere', (canary) => {
  expectHidden(canary, PLACES_OF_KEYS);
});

it.each(IN_CONTEXT)('[SEC-2.1] a secret is shown nowhere: $name', (canary) => {
  expectHidden(canary, PLACES);
});

it.each(INNOCENTS)('[SEC-2.1] %s stays readable', (text) => {
  for (const [, put] of PLACES) expect(redactor.text(put(text))).toBe(put(text));
});

describe('in data', () => {
  it.each<[string, string[], string[]]>([
    [
      'an option and its value',
      ['psql', '--password', 'hunter22x', 'shop'],
      ['psql', '--password', '[redacted: assigned secret]', 'shop'],
    ],
    [
      'user and password of curl',
      ['/usr/bin/curl', '-sS', '-u', 'ann:hunter22x', 'https://example.com/'],
      ['/usr/bin/curl', '-sS', '-u', 'ann:[redacted: command line secret]', 'https://example.com/'],
    ],
    [
      'a password in one word with its option',
      ['mysql', '-uroot', '-phunter22x', 'shop'],
      ['mysql', '-uroot', '-p[redacted: command line secret]', 'shop'],
    ],
    [
      'a word with a quote before it',
      ['sh', '-c', `say "it's`, '--token', 'hunter22x'],
      ['sh', '-c', `say "it's`, '--token', '[redacted: assigned secret]'],
    ],
    ['nothing', ['docker', 'run', '-p', '80:80'], ['docker', 'run', '-p', '80:80']],
  ])('[SEC-2.1] an argv shows no secret: %s', (_what, argv, shown) => {
    expect(redactor.value({ argv })).toEqual({ argv: shown });
  });

  it('[SEC-2.1] redacts the value of a name and value pair by its name', () => {
    const env = [
      { name: 'DB_PASSWORD', value: 'hunter22x' },
      { name: 'DB_HOST', value: 'db.internal' },
    ];
    expect(redactor.value(env)).toEqual([
      { name: 'DB_PASSWORD', value: '[redacted: assigned secret]' },
      { name: 'DB_HOST', value: 'db.internal' },
    ]);
  });
});

describe('hostile megabytes', () => {
  // Beginnings that never become a secret, over and over: a quadratic pattern would need hours.
  const beginnings = CANARIES.map(({ text }) => text.slice(0, Math.ceil(text.length / 2)));
  const pieces = [
    ':a@tcp(',
    ' -p',
    'curl -u a:',
    'name=',
    'machine a ',
    'echo a|',
    '\\',
    '\\"',
    '<password>',
    '$6$a',
    '%3D',
    'cookie: a=b;',
  ];

  // A quarter of a megabyte takes a tenth of a second, and half a minute where a pattern is quadratic.
  it.each([...pieces, ...beginnings])(
    'one of %j is read in linear time',
    { timeout: 15_000 },
    (piece) => {
      const text = `mysql curl ${piece.repeat(Math.ceil(250_000 / piece.length))}`;
      expect(redactor.text(text)).toBeTypeOf('string');
    },
  );
});
