import { expect, it } from 'vitest';
import { isWholeAnswer, pieceBeyond, shownPart, withPiece } from './pieces';
import { shownUnfinished } from './unfinished';

const answer = (text: string, messageId = 'm1') => ({ messageId, text });

it.each([
  ['nothing', null, answer('ab'), { messageId: 'm1', from: 0, text: 'ab' }],
  ['its beginning', answer('a'), answer('abc'), { messageId: 'm1', from: 1, text: 'bc' }],
  ['all of it', answer('ab'), answer('ab'), null],
  ['nothing of nothing', null, answer(''), null],
  ['another message', answer('ab', 'm0'), answer('ab'), { messageId: 'm1', from: 0, text: 'ab' }],
  [
    'a text that was replaced',
    answer('ax'),
    answer('ab'),
    { messageId: 'm1', from: 0, text: 'ab' },
  ],
])('a reader who has seen %s gets what is missing', (_, shown, whole, piece) => {
  expect(pieceBeyond(shownPart(shown), whole)).toEqual(piece);
});

it.each([
  ['at the start', null, 0, 'bc'],
  ['after its text', answer('a'), 1, 'abc'],
  ['twice', answer('abc'), 1, 'abc'],
  ['of another message', answer('a', 'm0'), 1, 'bc'],
])('a piece that comes %s gives the text once', (_, shown, from, text) => {
  expect(withPiece(shown, { messageId: 'm1', from, text: 'bc' })).toEqual(answer(text));
});

it.each<[boolean, string, object]>([
  [true, 'answer_part', {}],
  [true, 'text', { parentToolUseId: null }],
  // A sub-agent's text is not the answer.
  [false, 'text', { parentToolUseId: 'call-1' }],
  [false, 'text', {}],
  [false, 'tool_call', { parentToolUseId: null }],
])('%s: a stored %s with %j replaces the pieces', (is, kind, payload) => {
  expect(isWholeAnswer({ kind, payload })).toBe(is);
});

it.each([
  [null, null],
  [{ messageId: 'm1', text: '' }, null],
  [
    { messageId: 'm1', text: 'a', isCut: true },
    { messageId: 'm1', text: 'a' },
  ],
])('a stored answer %j is shown as %j', (stored, shown) => {
  expect(shownUnfinished(stored)).toEqual(shown);
});
