import { describe, expect, it } from 'vitest';
import type { QuestionDto } from '@/lib/conversations/schema';
import { isSettled } from './ask';

const question = (status: QuestionDto['status']): QuestionDto => ({
  id: 'qst_1',
  questions: [{ question: 'Which?', header: '', multiSelect: false, options: [] }],
  status,
  answers: null,
  askedAt: '2026-11-26T12:00:00.000Z',
  answeredBy: null,
  answeredAt: null,
});

describe('[INC-4.3] waiting for an answer ends', () => {
  it.each([
    ['never while the agent works', null, [], false],
    ['with the turn', '2026-11-26T12:00:00.000Z', [], true],
    ['when the agent asks a person', null, [question('open')], true],
    ['not because it has asked before', null, [question('answered')], false],
  ] as const)('%s', (_, endedAt, questions, expected) => {
    expect(isSettled({ endedAt, questions: [...questions] })).toBe(expected);
  });
});
