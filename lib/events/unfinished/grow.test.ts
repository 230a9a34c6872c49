import { expect, it } from 'vitest';
import type { RunnerEvent } from '@/lib/runner-protocol/events';
import { grownBy, isWholeAnswer, pieceBeyond, withPiece } from './grow';

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
  ['grows', [part('m1', 'One '), call, part('m1', 'two.')], { messageId: 'm1', text: 'One two.' }],
  ['goes when its text is whole', [part('m1', 'One '), whole()], null],
  [
    'begins again behind a whole text of the same message',
    [part('m1', 'One '), whole(), part('m1', 'Three')],
    { messageId: 'm1', text: 'Three' },
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
  ['is as it was without any', [call], null],
])('what is being written %s', (_how, events, expected) => {
  expect(grownBy(null, events)).toEqual(expected);
});

it('goes on with what was there before, up to a length', () => {
  const before = { messageId: 'm1', text: 'One ' };
  expect(grownBy(before, [part('m1', 'two')])).toEqual({ messageId: 'm1', text: 'One two' });
  expect(grownBy(before, [part('m1', 'x'.repeat(300_000))])?.text).toHaveLength(200_000);
});

it.each([
  [null, 'One ', { from: 0, text: 'One ' }],
  [{ messageId: 'm1', text: 'One ' }, 'One two', { from: 4, text: 'two' }],
  [{ messageId: 'm1', text: 'One ' }, 'One ', null],
  [{ messageId: 'm1', text: 'One ' }, 'Two', { from: 0, text: 'Two' }],
  [{ messageId: 'm0', text: 'One ' }, 'One two', { from: 0, text: 'One two' }],
])('who has seen %j of %j is told %j', (shown, text, expected) => {
  const now = { messageId: 'm1', text };
  const piece = pieceBeyond(shown, now);
  expect(piece).toEqual(expected && { messageId: 'm1', ...expected });
  if (piece) expect(withPiece(shown, piece)).toEqual(now);
});

it('knows what takes the place of pieces', () => {
  expect(isWholeAnswer({ kind: 'text', payload: { parentToolUseId: null } })).toBe(true);
  expect(isWholeAnswer({ kind: 'text', payload: { parentToolUseId: 't' } })).toBe(false);
  expect(isWholeAnswer({ kind: 'answer_part', payload: {} })).toBe(true);
  expect(isWholeAnswer({ kind: 'tool_call', payload: { parentToolUseId: null } })).toBe(false);
});
