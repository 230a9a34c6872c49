import { describe, expect, it } from 'vitest';
import type { SilenceFacts } from '@/lib/engine/continuation/silence';
import { againSentence, decideTurnEnd, endedSentence, type TurnEndFacts } from './turn-end';

const CAN_CONTINUE: SilenceFacts = {
  hasConversation: true,
  isCallInterrupted: false,
  toolCalls: [],
  eventLog: 'complete',
  hasContinued: false,
  wasSilentBefore: false,
};

const FACTS: TurnEndFacts = {
  end: 'completed',
  retry: { kind: 'none' },
  happened: 'It failed.',
  advice: 'Look at it.',
  answer: 'All is well.',
  isResumed: true,
  toolCalls: 0,
  silence: CAN_CONTINUE,
  hasFallenBack: false,
  retriesUsed: 0,
  isStopped: false,
};

const decide = (changes: Partial<TurnEndFacts>) => decideTurnEnd({ ...FACTS, ...changes });
const again = (reason: string, onlyMode: string | null = null, afterSeconds = 0) => {
  return { kind: 'again', onlyMode, afterSeconds, reason, sentence: expect.any(String) };
};
const ended = (status: string, reason: unknown = expect.any(String)) => ({
  kind: 'ended',
  status,
  reason,
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
    expect(decide({ end: 'rate_limited', retry: { kind: 'after', seconds: 900 } })).toEqual(
      again('RETRY_ONCE', null, 900),
    );
    expect(decide({ end: 'rate_limited', retry: { kind: 'after', seconds: 901 } })).toEqual(
      ended('failed'),
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
    expect(decide({ end })).toEqual(ended(status, end.toUpperCase()));
  });
});

const OPEN = { tool: 'Bash', isOurs: false, input: { command: 'ls' }, result: null };
const CLOSED = { ...OPEN, result: { denied: false } };
const silent = (changes: Partial<SilenceFacts> = {}, more: Partial<TurnEndFacts> = {}) =>
  decide({
    end: 'stalled',
    retry: { kind: 'once' },
    toolCalls: changes.toolCalls?.length ?? 0,
    silence: { ...CAN_CONTINUE, ...changes },
    ...more,
  });
const continues = {
  kind: 'continue',
  reason: 'CONTINUE_ONCE',
  sentence: expect.stringContaining('continues once'),
};

describe('[ENG-5.5] a turn that goes silent', () => {
  it.each<[string, ReturnType<typeof silent>, unknown]>([
    ['continues', silent(), continues],
    ['continues after calls that have ended', silent({ toolCalls: [CLOSED] }), continues],
    ['continues on a first turn', silent({}, { isResumed: false }), continues],
    ['continues after it fell back', silent({}, { hasFallenBack: true }), continues],
    ['continues after a retry for another reason', silent({}, { retriesUsed: 1 }), continues],
    [
      'ends where a call is open',
      silent({ toolCalls: [CLOSED, OPEN] }),
      ended('failed', 'STALLED'),
    ],
    [
      'ends where a call was interrupted',
      silent({ toolCalls: [CLOSED], isCallInterrupted: true }),
      ended('failed', 'STALLED'),
    ],
    [
      'starts again without a conversation',
      silent({ hasConversation: false }),
      again('RETRY_ONCE'),
    ],
    [
      'ends without a conversation after a call',
      silent({ hasConversation: false, toolCalls: [CLOSED] }),
      ended('failed', 'STALLED'),
    ],
    [
      'ends once it was continued',
      silent({ hasContinued: true }),
      ended('failed', 'CONTINUE_SPENT'),
    ],
    [
      'ends once it was continued, also with a call open',
      silent({ hasContinued: true, toolCalls: [OPEN] }),
      ended('failed', 'CONTINUE_SPENT'),
    ],
    [
      'ends after a silence that was retried',
      silent({ wasSilentBefore: true }, { retriesUsed: 1 }),
      ended('failed', 'STALLED'),
    ],
    [
      'ends where a person stopped it',
      silent({}, { isStopped: true }),
      ended('stopped', 'STALLED'),
    ],
    [
      'ends as stopped after its continuation too',
      silent({ hasContinued: true }, { isStopped: true }),
      ended('stopped', 'STALLED'),
    ],
  ])('%s', (_, end, follows) => {
    expect(end).toEqual(follows);
  });

  it('says after the second silence what happened and what to do', () => {
    expect(silent({ hasContinued: true })).toMatchObject({
      sentence: 'It failed. The agent stalled again after it was continued once. Look at it.',
    });
  });
});

const LOST = {
  happened: "Runner eu-1 lost the agent's process.",
  advice: "Check that host's log.",
};
const LIMIT = {
  happened: "The provider's rate limit is reached (429).",
  advice: 'Raise the limit there.',
};
const OVERLOADED = { happened: 'The provider is overloaded (529).', advice: '' };
const FULL = {
  happened: 'The conversation no longer fits into the context window of sonnet.',
  advice: 'Send less at once.',
};

it.each<[string, Parameters<typeof againSentence>, string]>([
  [
    'at once',
    [LOST, { reason: 'RETRY_ONCE', onlyMode: null, afterSeconds: 0 }],
    "Runner eu-1 lost the agent's process. No tool had run, so the turn starts again.",
  ],
  [
    'at once, without its conversation',
    [LOST, { reason: 'RETRY_ONCE', onlyMode: 'transcript', afterSeconds: 0 }],
    "Runner eu-1 lost the agent's process. No tool had run, so the turn starts again from the full transcript.",
  ],
  [
    'because the conversation cannot be continued',
    [FULL, { reason: 'CONTEXT_EXHAUSTED', onlyMode: 'transcript', afterSeconds: 0 }],
    'The conversation no longer fits into the context window of sonnet. The turn starts again from the full transcript.',
  ],
  [
    'later',
    [LIMIT, { reason: 'RETRY_ONCE', onlyMode: null, afterSeconds: 30 }],
    "The provider's rate limit is reached (429). The next retry is in 30 s. Raise the limit there.",
  ],
  [
    'in a second',
    [LIMIT, { reason: 'RETRY_ONCE', onlyMode: null, afterSeconds: 1 }],
    "The provider's rate limit is reached (429). The next retry is in 1 s. Raise the limit there.",
  ],
  [
    'later, without its conversation',
    [OVERLOADED, { reason: 'RETRY_ONCE', onlyMode: 'transcript', afterSeconds: 30 }],
    'The provider is overloaded (529). The next retry from the full transcript is in 30 s.',
  ],
])('a turn that starts again: %s', (_, parts, sentence) => {
  expect(againSentence(...parts)).toBe(sentence);
});

const FAILED: TurnEndFacts = {
  end: 'lost',
  retry: { kind: 'once' },
  ...LOST,
  answer: null,
  isResumed: true,
  toolCalls: 0,
  silence: {
    hasConversation: true,
    isCallInterrupted: false,
    toolCalls: [],
    eventLog: 'complete',
    hasContinued: false,
    wasSilentBefore: false,
  },
  hasFallenBack: false,
  retriesUsed: 0,
  isStopped: false,
};

it.each<[string, Partial<TurnEndFacts>, string]>([
  [
    'tools had run',
    { toolCalls: 2 },
    "Runner eu-1 lost the agent's process. Tools had run, so the turn isn't repeated automatically. Check that host's log.",
  ],
  [
    'one tool had run',
    { toolCalls: 1 },
    "Runner eu-1 lost the agent's process. Tools had run, so the turn isn't repeated automatically. Check that host's log.",
  ],
  [
    'tools had run, and another try would change nothing',
    { toolCalls: 1, retry: { kind: 'none' } },
    "Runner eu-1 lost the agent's process. Check that host's log.",
  ],
  [
    'the fallback was not the first try',
    { end: 'context_exhausted', retriesUsed: 1, ...FULL },
    'The conversation no longer fits into the context window of sonnet. Send less at once.',
  ],
  [
    'it was lost, and there is nothing to do about it',
    { advice: '' },
    "Runner eu-1 lost the agent's process. Ask again in a while.",
  ],
  [
    'it was being stopped, and there is nothing to do about it',
    { isStopped: true, toolCalls: 1, advice: '' },
    "Runner eu-1 lost the agent's process.",
  ],
  [
    'the second try failed too, and nothing can be done but wait',
    { end: 'overloaded', retry: { kind: 'after', seconds: 30 }, retriesUsed: 1, ...OVERLOADED },
    'The provider is overloaded (529). It was tried twice. Ask again in a while.',
  ],
  [
    'the wait would be too long',
    { end: 'rate_limited', retry: { kind: 'after', seconds: 7_200 }, ...LIMIT },
    "The provider's rate limit is reached (429). A retry makes sense in 2 h at the earliest. Raise the limit there.",
  ],
  [
    'another try would change nothing',
    {
      end: 'max_turns',
      retry: { kind: 'none' },
      happened: 'It used all turns.',
      advice: 'Raise them.',
    },
    'It used all turns. Raise them.',
  ],
  [
    'the whole transcript is too long as well',
    { end: 'context_exhausted', isResumed: false, ...FULL },
    'The conversation no longer fits into the context window of sonnet. Send less at once.',
  ],
  [
    'somebody stopped it',
    { end: 'stopped', retry: { kind: 'none' }, happened: 'Someone stopped it.', advice: '' },
    'Someone stopped it.',
  ],
  [
    'it was lost while it was being stopped',
    { isStopped: true },
    "Runner eu-1 lost the agent's process. Check that host's log.",
  ],
])('a turn that nothing follows: %s', (_, changes, sentence) => {
  expect(endedSentence({ ...FAILED, ...changes })).toBe(sentence);
});
