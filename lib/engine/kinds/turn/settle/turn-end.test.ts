import { describe, expect, it } from 'vitest';
import { decideTurnEnd, type TurnEndFacts } from './turn-end';

const FACTS: TurnEndFacts = {
  end: 'completed',
  retry: { kind: 'none' },
  happened: 'It failed.',
  advice: 'Look at it.',
  answer: 'All is well.',
  isResumed: true,
  toolCalls: 0,
  hasFallenBack: false,
  retriesUsed: 0,
  isStopped: false,
};

const decide = (changes: Partial<TurnEndFacts>) => decideTurnEnd({ ...FACTS, ...changes });
const again = (reason: string, onlyMode: string | null = null, afterSeconds = 0) => {
  return { kind: 'again', onlyMode, afterSeconds, reason, sentence: expect.any(String) };
};
const ended = (status: string) => ({
  kind: 'ended',
  status,
  sentence: expect.stringMatching(/^It failed\./),
});

describe('the end of a turn', () => {
  it('is its answer', () => {
    expect(decide({})).toEqual({ kind: 'answered', answer: 'All is well.' });
  });

  it('is none without words', () => {
    expect(decide({ answer: '' })).toMatchObject({ kind: 'ended', status: 'failed' });
  });

  it.each([
    ['resume_rejected', 'RESUME_REJECTED'],
    ['context_exhausted', 'CONTEXT_EXHAUSTED'],
    ['history_unreplayable', 'HISTORY_UNREPLAYABLE'],
    ['work_dir_changed', 'WORKDIR_CHANGED'],
  ] as const)('[CNV-3.1] %s: once more, from the transcript', (end, reason) => {
    expect(decide({ end })).toEqual(again(reason, 'transcript'));
    expect(decide({ end, hasFallenBack: true }), 'a second time').toEqual(ended('failed'));
    expect(decide({ end, toolCalls: 1 }), 'after a tool').toEqual(ended('failed'));
    expect(decide({ end, isResumed: false }), 'without a resume').toEqual(ended('failed'));
    expect(decide({ end, isStopped: true }), 'after a stop').toEqual(ended('stopped'));
  });

  it('[CNV-3.2] is its answer, whatever words stand in it', () => {
    const answer = 'The log says: No conversation found with session ID 1.';
    expect(decide({ answer })).toEqual({ kind: 'answered', answer });
  });

  it('of a passing fault is one more try', () => {
    const retry = { kind: 'once' } as const;
    expect(decide({ end: 'lost', retry })).toEqual(again('RETRY_ONCE'));
    expect(decide({ end: 'lost', retry, hasFallenBack: true })).toEqual(
      again('RETRY_ONCE', 'transcript'),
    );
    expect(decide({ end: 'lost', retry, retriesUsed: 1 })).toEqual(ended('lost'));
    expect(decide({ end: 'lost', retry, toolCalls: 1 })).toEqual(ended('lost'));
    expect(decide({ end: 'overloaded', retry: { kind: 'after', seconds: 30 } })).toEqual(
      again('RETRY_ONCE', null, 30),
    );
    expect(decide({ end: 'rate_limited', retry: { kind: 'after', seconds: 7_200 } })).toEqual(
      ended('failed'),
    );
  });

  it.each([
    ['auth', 'failed'],
    ['timed_out', 'timed_out'],
    ['max_turns', 'failed'],
    ['stopped', 'stopped'],
  ] as const)('of %s ends it as %s', (end, status) => {
    expect(decide({ end })).toEqual(ended(status));
  });
});
