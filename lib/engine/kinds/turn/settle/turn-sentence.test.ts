import { expect, it } from 'vitest';
import type { TurnEndFacts } from './turn-end';
import { againSentence, endedSentence } from './turn-sentence';

const LOST = {
  happened: "Runner eu-1 lost the agent's process.",
  advice: "Look at that host's log.",
};
const LIMIT = {
  happened: "The provider's rate limit is reached (429).",
  advice: 'Raise the limit there.',
};
const OVERLOADED = { happened: 'The provider is overloaded (529).', advice: '' };
const FULL = {
  happened: 'The conversation no longer fits into the window of sonnet.',
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
    "Runner eu-1 lost the agent's process. No tool had run, so the turn starts again from the whole transcript.",
  ],
  [
    'because the conversation cannot be continued',
    [FULL, { reason: 'CONTEXT_EXHAUSTED', onlyMode: 'transcript', afterSeconds: 0 }],
    'The conversation no longer fits into the window of sonnet. The turn starts again from the whole transcript.',
  ],
  [
    'later',
    [LIMIT, { reason: 'RETRY_ONCE', onlyMode: null, afterSeconds: 30 }],
    "The provider's rate limit is reached (429). The next try is in 30 s. Raise the limit there.",
  ],
  [
    'in a second',
    [LIMIT, { reason: 'RETRY_ONCE', onlyMode: null, afterSeconds: 1 }],
    "The provider's rate limit is reached (429). The next try is in 1 s. Raise the limit there.",
  ],
  [
    'later, without its conversation',
    [OVERLOADED, { reason: 'RETRY_ONCE', onlyMode: 'transcript', afterSeconds: 30 }],
    'The provider is overloaded (529). The next try from the whole transcript is in 30 s.',
  ],
])('a turn that starts again: %s', (_, parts, sentence) => {
  expect(againSentence(...parts)).toBe(sentence);
});

const FACTS: TurnEndFacts = {
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
    "Runner eu-1 lost the agent's process. Tools had run, so the turn isn't repeated by itself. Look at that host's log.",
  ],
  [
    'one tool had run',
    { toolCalls: 1 },
    "Runner eu-1 lost the agent's process. Tools had run, so the turn isn't repeated by itself. Look at that host's log.",
  ],
  [
    'tools had run, and another try would change nothing',
    { toolCalls: 1, retry: { kind: 'none' } },
    "Runner eu-1 lost the agent's process. Look at that host's log.",
  ],
  [
    'the fallback was not the first try',
    { end: 'context_exhausted', retriesUsed: 1, ...FULL },
    'The conversation no longer fits into the window of sonnet. Send less at once.',
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
    "The provider's rate limit is reached (429). Another try makes sense in 2 h at the earliest. Raise the limit there.",
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
    'The conversation no longer fits into the window of sonnet. Send less at once.',
  ],
  [
    'somebody stopped it',
    { end: 'stopped', retry: { kind: 'none' }, happened: 'Someone stopped it.', advice: '' },
    'Someone stopped it.',
  ],
  [
    'it was lost while it was being stopped',
    { isStopped: true },
    "Runner eu-1 lost the agent's process. Look at that host's log.",
  ],
])('a turn that nothing follows: %s', (_, changes, sentence) => {
  expect(endedSentence({ ...FACTS, ...changes })).toBe(sentence);
});
