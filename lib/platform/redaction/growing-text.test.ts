import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { CANARIES } from '@/tests/support/redaction/canaries';
import { growText } from './growing-text';
import { createRedactor } from './redactor';

vi.setConfig({ testTimeout: 60_000 });

// In pieces, so that no scanner takes this file for a leak.
const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0xL';
const KEY = `${'PRIVATE'} KEY-----`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const jwt = `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkwIn0'}.${letters}`;
const pem = `-----BEGIN RSA ${KEY}\nProc-Type: 4,ENCRYPTED\n\nMIIEpAIBAAKCAQEA${letters}\n${letters}${letters}\nQm9iYg==\n-----END RSA ${KEY}`;

const OWN = [
  'correct horse battery staple',
  'Xk7-quux-one',
  `first line of it\nab\n${letters.toLowerCase()}`,
];
const asked = createRedactor({ secrets: OWN });
// Most cuts of a text show the same beginnings of it, and the answer depends on the text alone.
const redactor = { text: remembered(asked.text), hasOpenEnd: remembered(asked.hasOpenEnd) };

function remembered<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const now = answer(text);
    known.set(text, now);
    return now;
  };
}

const SECRETS: [text: string, parts: string[]][] = [
  [OWN[0] ?? '', ['correct', 'horse', 'staple']],
  [OWN[1] ?? '', ['Xk7-', 'quux']],
  [OWN[2] ?? '', ['first line', letters.toLowerCase().slice(0, 8)]],
  [encodeURIComponent(OWN[0] ?? ''), ['horse']],
  [base64(OWN[0] ?? ''), [base64(OWN[0] ?? '').slice(0, 8)]],
  [`sk-ant-${'api03'}-${letters}`, ['aB3dE6']],
  [`ghp_${letters}abcd`, ['aB3dE6']],
  [jwt, ['aB3dE6', 'zdWIi']],
  [pem, ['MIIE', 'aB3dE6', 'Qm9i']],
  [JSON.stringify({ file: pem }), ['MIIE', 'aB3dE6', 'Qm9i']],
  ['postgres://app:p@ss-w0rd-9@db:5432/shop', ['p@ss', 'w0rd']],
  [`Authorization: Bearer ${letters}`, ['aB3dE6']],
  [`Authorization: Basic ${base64('ann:hunter22')}`, [base64('ann:hunter22').slice(0, 6)]],
  ['password = "hunter 22 is it"', ['hunter', '22 is']],
  ['password = "12 is the 34th"', ['12 is', '34th']],
  ["client_secret => 'hunter 22'", ['hunter']],
  [JSON.stringify(JSON.stringify({ apiKey: 'hunter 22 a' })), ['hunter']],
  [`password: "two\nlines of it"`, ['two', 'lines']],
  [`token="\${{ x\nhunter22 y"`, ['hunter22']],
  ['--db-password hunter22', ['hunter22']],
  ['DB_PASSWORD:\n\n  hunter22', ['hunter22']],
];

/** Everything that can be taken of a text that comes in these pieces. */
function takenOf(pieces: readonly string[]): string[] {
  const text = growText(redactor);
  return pieces.map((piece) => {
    text.add(piece);
    return text.take();
  });
}

const piecesOf = (text: string, cuts: readonly number[]): string[] => {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  return [...places, text.length].map((to, index) => text.slice(places[index - 1] ?? 0, to));
};

describe('a text that is told while it is written', () => {
  it.each(SECRETS)('shows nothing of %j, wherever it is cut', (secret, parts) => {
    const text = `The state is this.\n\n${secret}\nThat is all, see above. `;
    const whole = redactor.text(text);
    for (const part of parts) expect(whole).not.toContain(part);
    const everyOne = Array.from({ length: text.length }, (_, at) => at);
    const ways = [everyOne, ...everyOne.map((at) => [at])].map((cuts) => piecesOf(text, cuts));
    for (const pieces of ways) {
      const taken = takenOf(pieces);
      expect(whole.startsWith(taken.join(''))).toBe(true);
      for (const part of parts) expect(taken.join('')).not.toContain(part);
    }
    expect(takenOf(piecesOf(text, everyOne)).join('')).toMatch(/^The state is this\.\n\n/);
  });

  const fragment = fc.oneof(
    fc.constantFrom(...SECRETS.map(([text]) => text), ...CANARIES.map(({ text }) => text)),
    fc.constantFrom(
      ...['password', 'token', 'api_key', '--token', 'Bearer', 'Basic', 'authorization'],
      ...[':', '=', '=>', '"', "'", '\\"', '`', '\n', '\n\n', ' ', '  ', '\t', ',', ']', '<', '>'],
      ...['-----BEGIN ', '-----BEGIN RSA ', KEY, '-----', '-----END ', 'KEY', 'PRIVATE '],
      ...['set', 'none', '4096', '${{ ', '$(a)', '<your password>', '[redacted: ', 'jwt]'],
      ...[
        'web',
        'is',
        'down',
        letters,
        letters.slice(0, 5),
        'é',
        '😀',
        '\ud83d',
        '\0',
        '| a | b |',
      ],
    ),
    fc.lorem({ maxCount: 4 }),
    fc.string({ maxLength: 12 }),
  );

  it.each(CANARIES)('[CKP-5.1] shows nothing of $name, wherever it is cut', ({ text, secret }) => {
    const all = `The state is this.\n\n${text}\nThat is all, see above. `;
    const whole = redactor.text(all);
    for (let at = 0; at < all.length; at += 1) {
      const taken = takenOf(piecesOf(all, [at])).join('');
      expect(whole.startsWith(taken)).toBe(true);
      expect(taken.replaceAll(/\[redacted: [a-z0-9 ]+\]/g, '')).not.toContain(secret.slice(0, 8));
    }
  });

  it('is at every moment a beginning of what the whole text shows, for texts of any kind', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fragment, fc.constantFrom('', ' ', '\n')), { maxLength: 14 }),
        fc.array(fc.nat(2_000), { maxLength: 40 }),
        (fragments, cuts) => {
          const text = fragments.map((pair) => pair.join('')).join('');
          const taken = takenOf(piecesOf(text, cuts)).join('');
          expect(redactor.text(text).slice(0, taken.length)).toBe(taken);
        },
      ),
      { numRuns: 1_500 },
    );
  });

  it('grows word by word, and leaves nothing out', () => {
    const text = 'The disk of `db` is at 91%, token usage: 4096. Its owner says "free it" now. ';
    const taken = takenOf([...text]);
    expect(taken.join('')).toBe(redactor.text(text));
    expect(taken.filter((part) => part !== '').length).toBeGreaterThan(10);
  });

  it('continues behind a secret', () => {
    const taken = takenOf([...`It is password="hunter 22 x" there, and all is well. `]).join('');
    expect(taken).toBe('It is password="[redacted: assigned secret]" there, and all is well. ');
  });

  it('is not followed for ever', () => {
    const text = growText(redactor);
    text.add('word '.repeat(8_000));
    expect(text.take()).toHaveLength(40_000);
    text.add('word ');
    expect(text.take()).toBe('');
  });
});
