import { expect, it } from 'vitest';
import type { QuestionDto, TurnDto } from '@/lib/conversations/schema';
import { conversationSentence, heldBecause, isMoving } from './conversation-sentence';

const question: QuestionDto = {
  id: 'qst_1',
  questions: [],
  status: 'open',
  answers: null,
  askedAt: '2026-11-22T10:00:00Z',
  answeredBy: null,
  answeredAt: null,
};

it.each<[TurnDto['status'], QuestionDto['status'] | null, string]>([
  ['running', null, 'Sonnet is answering turn 3.'],
  ['running', 'open', 'Sonnet asks something in turn 3, and waits for an answer.'],
  ['running', 'answered', 'Sonnet is answering turn 3.'],
  ['completed', null, 'Sonnet answered turn 3.'],
  ['waiting', null, 'Turn 3: No runner is online.'],
  ['failed', 'cancelled', 'Turn 3: No runner is online.'],
  ['stopping', 'open', 'Turn 3: No runner is online.'],
])('%s, question %s: %s', (status, asked, sentence) => {
  const questions = asked ? [{ ...question, status: asked }] : [];
  const turn = { status, statusText: 'No runner is online.', position: 3, agent: 'Sonnet' };
  expect(conversationSentence([{ ...turn, questions }], 2)).toBe(sentence);
});

it.each<[TurnDto['status'], QuestionDto['status'] | null, string | null]>([
  ['completed', null, null],
  ['stopped', 'cancelled', null],
  ['queued', null, 'Turn 3 has to be answered first, and waits to begin.'],
  ['waiting', null, 'Turn 3 has to be answered first, and waits to begin.'],
  ['running', null, 'The agent is still answering turn 3.'],
  ['running', 'open', 'The agent answers turn 3 once its question above is answered.'],
  ['running', 'answered', 'The agent is still answering turn 3.'],
  ['stopping', 'open', 'The agent is still answering turn 3.'],
])('holds a draft back: %s, question %s: %s', (status, asked, sentence) => {
  const questions = asked ? [{ ...question, status: asked }] : [];
  const turns = [
    { status: 'completed' as const, position: 2, questions: [] },
    { status, position: 3, questions },
  ];
  const kept = sentence && `${sentence} Your draft stays here until then.`;
  expect(heldBecause(turns)).toBe(kept);
});

it('names no agent where there is only one', () => {
  const turn = { status: 'completed', statusText: '', position: 1, agent: 'claude' } as const;
  expect(conversationSentence([{ ...turn, questions: [] }], 1)).toBe('The agent answered turn 1.');
});

it('says that nothing is left', () => {
  expect(conversationSentence([], 1)).toContain('were removed');
});

it.each<[TurnDto['status'], boolean]>([
  ['queued', true],
  ['waiting', true],
  ['stopping', true],
  ['completed', false],
  ['stopped', false],
  ['lost', false],
])('%s moves: %s', (status, moves) => {
  expect(isMoving({ status })).toBe(moves);
});
