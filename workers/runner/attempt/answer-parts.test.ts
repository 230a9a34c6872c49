import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import type { AnswerPartEvent } from '@/lib/protocol/events';
import { collectAnswerParts } from './answer-parts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function collected() {
  const told: AnswerPartEvent[] = [];
  const redactor = createRedactor({ secrets: ['hunter22 is it'] });
  return { told, parts: collectAnswerParts(redactor, (part) => told.push(part)) };
}
const write = (parts: ReturnType<typeof collectAnswerParts>, text: string, messageId = 'm1') => {
  for (const letter of text) parts.take({ messageId, text: letter });
};
const textsOf = (told: readonly AnswerPartEvent[]) => told.map(({ text }) => text);

it('tells the beginning at once, and what follows a few times a second', () => {
  const { told, parts } = collected();
  write(parts, 'The disk of db is full. ');
  expect(textsOf(told)).toEqual(['The ']);
  vi.advanceTimersByTime(250);
  expect(textsOf(told)).toEqual(['The ', 'disk of db is full. ']);
  vi.advanceTimersByTime(10_000);
  write(parts, 'Free it.\n');
  expect(textsOf(told).slice(2)).toEqual(['Free ']);
  vi.advanceTimersByTime(250);
  expect(textsOf(told).join('')).toBe('The disk of db is full. Free it.\n');
  expect(told.every(({ messageId }) => messageId === 'm1')).toBe(true);
});

it('tells nothing more of a message that has come whole, and nothing twice of the next', () => {
  const { told, parts } = collected();
  write(parts, 'One two three ');
  parts.end();
  vi.advanceTimersByTime(1_000);
  expect(textsOf(told)).toEqual(['One ']);
  write(parts, 'Four ', 'm2');
  expect(told.slice(1)).toEqual([{ kind: 'answer_part', messageId: 'm2', text: 'Four ' }]);
});

it('restarts where the agent was asked again', () => {
  const { told, parts } = collected();
  write(parts, 'Half of it ');
  write(parts, 'All of it ', 'm2');
  vi.advanceTimersByTime(1_000);
  expect(told.filter(({ messageId }) => messageId === 'm2').map(({ text }) => text)).toEqual([
    'All ',
    'of it ',
  ]);
});

it('holds a secret back until it is whole', () => {
  const { told, parts } = collected();
  for (const letter of 'It says hunter22 is it, I read. ') {
    parts.take({ messageId: 'm1', text: letter });
    vi.advanceTimersByTime(250);
    expect(textsOf(told).join('')).not.toMatch(/hunter|22/);
  }
  expect(textsOf(told).join('')).toBe('It says [redacted: project secret], I read. ');
});
