import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { growText } from '@/lib/platform/redaction/growing-text';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import type { RunnerEvent } from '@/lib/protocol/events';
import { CANARIES } from '@/tests/support/redaction/canaries';
import { INNOCENTS } from '@/tests/support/redaction/innocents';
import { resultEvent } from '@/tests/support/settlement-facts';
import { isWholeAnswer, pieceBeyond, shownPart, withPiece } from './pieces';
import { grownBy, type KeptUnfinished } from './unfinished';

vi.setConfig({ testTimeout: 60_000 });

const part = (messageId: string, text: string): RunnerEvent => ({
  kind: 'answer_part',
  messageId,
  text,
});
const whole = (parentToolUseId: string | null = null): RunnerEvent => ({
  kind: 'text',
  messageId: 'm1',
  text: 'One two.',
  parentToolUseId,
});
const call: RunnerEvent = {
  kind: 'tool_call',
  messageId: 'm1',
  toolUseId: 't',
  tool: 'Bash',
  input: {},
  parentToolUseId: null,
};

it.each<[string, RunnerEvent[], ReturnType<typeof grownBy>]>([
  [
    'grows',
    [part('m1', 'One '), call, part('m1', 'two. ')],
    { messageId: 'm1', text: 'One two. ' },
  ],
  ['goes when its text is whole', [part('m1', 'One '), whole()], null],
  [
    'begins again behind a whole text of the same message',
    [part('m1', 'One '), whole(), part('m1', 'Three ')],
    { messageId: 'm1', text: 'Three ' },
  ],
  [
    'stays where a sub-agent says something',
    [part('m1', 'One '), whole('t')],
    { messageId: 'm1', text: 'One ' },
  ],
  [
    'gives way to another message',
    [part('m1', 'One '), part('m2', 'Two ')],
    { messageId: 'm2', text: 'Two ' },
  ],
  ['goes with a result, which has all of it', [part('m1', 'One '), resultEvent()], null],
  [
    'stays with a result that is an error',
    [part('m1', 'One '), resultEvent({ isError: true })],
    { messageId: 'm1', text: 'One ' },
  ],
  ['is as it was without any', [call], null],
])('what is being written %s', (_how, events, expected) => {
  expect(grownBy(null, events)).toEqual(expected);
});

/** A safety net: thousands of texts take seconds, and minutes beside other work. */
const PROPERTY_MS = 300_000;

describe('pieces that arrive one after the other', () => {
  const KEY = ['ghp', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0xLabcd'].join('_');
  const one = { messageId: 'm1', text: 'One ' };

  it('continue what was there before, up to a length', () => {
    expect(grownBy(one, [part('m1', 'two ')])).toEqual({ messageId: 'm1', text: 'One two ' });
    const long = part('m1', 'word '.repeat(20_000));
    expect(grownBy(one, [long])).toEqual({ ...one, isCut: true });
  });

  it('go up to 60,000 characters, and end there', () => {
    const most = `${'a '.repeat(29_999)}a `;
    expect(grownBy(null, [part('m1', most)])).toEqual({ messageId: 'm1', text: most });
    const more = grownBy({ messageId: 'm1', text: most }, [part('m1', ' ')]);
    expect(more).toEqual({ messageId: 'm1', text: most, isCut: true });
    expect(grownBy(more, [part('m1', 'b ')])).toEqual(more);
  });

  it('[SEC-2.1] are redacted together', () => {
    const pieces = [KEY.slice(0, 12), KEY.slice(12), ' is the key. '].map((text) =>
      part('m1', text),
    );
    expect(grownBy(one, pieces)?.text).toBe('One [redacted: github token] is the key. ');
  });

  it('[SEC-2.1] stop growing where a secret may have begun, until the message is whole', () => {
    const cut = grownBy(one, [part('m1', `two ${KEY.slice(0, 12)}`)]);
    expect(cut).toEqual({ ...one, isCut: true });
    expect(grownBy(cut, [part('m1', `${KEY.slice(12)} and more `)])).toEqual(cut);
    expect(grownBy(cut, [part('m1', 'more '), whole()])).toBeNull();
    expect(grownBy(cut, [part('m2', 'Two ')])).toEqual({ messageId: 'm2', text: 'Two ' });
  });

  it('[SEC-2.1] stop growing where a runner has redacted one secret and left another', () => {
    const text = `${KEY} and [redacted: aws key]`;
    expect(grownBy(one, [part('m1', text)])).toEqual({ ...one, isCut: true });
  });

  it(
    '[SEC-2.1] never show a part of a secret, whatever the secret and the cuts',
    () => {
      const texts = CANARIES.map(({ text, secret }) => ({
        text: `The state is this.\n\n${text}\nThat is all, see above. `,
        secret,
      }));
      fc.assert(
        fc.property(
          fc.constantFrom(...texts),
          fc.array(fc.nat(3_000), { maxLength: 12 }),
          fc.nat(5),
          ({ text, secret }, cuts, batch) => {
            const stored = storedOf(piecesOf(text, cuts), batch + 1);
            const whole = redactor.text(text);
            for (const answer of stored) {
              expect(whole.startsWith(answer.text)).toBe(true);
              const shown = answer.text.replaceAll(/\[redacted: [a-z0-9 ]+\]/g, '');
              expect(shown).not.toContain(secret.slice(0, 8));
              expect(shown).not.toContain(secret.slice(-6));
            }
          },
        ),
        { numRuns: 4_000 },
      );
    },
    PROPERTY_MS,
  );

  it(
    '[SEC-2.1] arrive as they are from a runner that redacts them',
    () => {
      const own = 'correct horse battery staple';
      const onHost = createRedactor({ secrets: [own] });
      const fragment = fc.oneof(
        fc.constantFrom(own, ...CANARIES.map(({ text }) => text), ...INNOCENTS),
        fc.constantFrom('password', 'token: ', '--token ', '"', "'", '\n', ' ', '| a | b |', '='),
        fc.lorem({ maxCount: 4 }),
      );
      fc.assert(
        fc.property(
          fc.array(fc.tuple(fragment, fc.constantFrom('', ' ', '\n')), { maxLength: 8 }),
          fc.array(fc.nat(2_000), { maxLength: 20 }),
          (fragments, cuts) => {
            const growing = growText(onHost);
            const sent = piecesOf(fragments.flat().join(''), cuts).flatMap((piece) => {
              growing.add(piece);
              return growing.take() || [];
            });
            const stored = storedOf(sent, 1);
            expect(stored.map((answer) => answer.isCut ?? false)).not.toContain(true);
            expect(stored.at(-1)?.text ?? '').toBe(sent.join(''));
          },
        ),
        { numRuns: 1_500 },
      );
    },
    PROPERTY_MS,
  );
});

const redactor = createRedactor({ secrets: [] });

function piecesOf(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  return [...places, text.length].map((to, index) => text.slice(places[index - 1] ?? 0, to));
}

/** What is kept after each batch of so many pieces. */
function storedOf(pieces: readonly string[], batch: number): KeptUnfinished[] {
  const stored: KeptUnfinished[] = [];
  for (let from = 0; from < pieces.length; from += batch) {
    const events = pieces.slice(from, from + batch).map((text) => part('m1', text));
    const kept = grownBy(stored.at(-1) ?? null, events);
    if (kept) stored.push(kept);
  }
  return stored;
}

it.each([
  [null, 'One ', { from: 0, text: 'One ' }],
  [{ messageId: 'm1', text: 'One ' }, 'One two', { from: 4, text: 'two' }],
  [{ messageId: 'm1', text: 'One ' }, 'One ', null],
  [{ messageId: 'm1', text: 'One ' }, 'Two', { from: 0, text: 'Two' }],
  [{ messageId: 'm0', text: 'One ' }, 'One two', { from: 0, text: 'One two' }],
])('who has seen %j of %j is told %j', (shown, text, expected) => {
  const now = { messageId: 'm1', text };
  const piece = pieceBeyond(shownPart(shown), now);
  expect(piece).toEqual(expected && { messageId: 'm1', ...expected });
  if (piece) expect(withPiece(shown, piece)).toEqual(now);
});

it('knows what takes the place of pieces', () => {
  expect(isWholeAnswer({ kind: 'text', payload: { parentToolUseId: null } })).toBe(true);
  expect(isWholeAnswer({ kind: 'text', payload: { parentToolUseId: 't' } })).toBe(false);
  expect(isWholeAnswer({ kind: 'answer_part', payload: {} })).toBe(true);
  expect(isWholeAnswer({ kind: 'tool_call', payload: { parentToolUseId: null } })).toBe(false);
});
