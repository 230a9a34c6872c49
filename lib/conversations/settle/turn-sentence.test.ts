import { expect, it } from 'vitest';
import { againSentence, endedSentence } from './turn-sentence';

const LOST =
  "Runner eu-1 lost the agent's process. It may have changed something. Check the services before you start again.";
const LIMIT =
  "The provider's rate limit is reached (429). The next try is in 2 h. Lower the number of chains at once, or raise the limit there.";
const REJECTED =
  "Couldn't continue the conversation: runner eu-1 has no conversation 5b8f3c1e…. The next attempt starts from the handoff.";
const FULL =
  'The conversation no longer fits into the window of sonnet. The next attempt starts from the handoff. Lower the context limit to hand off earlier.';

it.each<[string, Parameters<typeof againSentence>[1], string]>([
  [
    LOST,
    { onlyMode: null, afterSeconds: 0, isFallback: false },
    "Runner eu-1 lost the agent's process. No tool had run, so the turn starts again.",
  ],
  [
    LOST,
    { onlyMode: 'transcript', afterSeconds: 0, isFallback: false },
    "Runner eu-1 lost the agent's process. No tool had run, so the turn starts again from the whole transcript.",
  ],
  [
    REJECTED,
    { onlyMode: 'transcript', afterSeconds: 0, isFallback: true },
    "Couldn't continue the conversation: runner eu-1 has no conversation 5b8f3c1e…. The turn starts again from the whole transcript.",
  ],
  [LIMIT, { onlyMode: null, afterSeconds: 30, isFallback: false }, LIMIT],
])('%s, then again with %o', (text, facts, sentence) => {
  expect(againSentence(text, facts)).toBe(sentence);
});

it.each<[Parameters<typeof endedSentence>[0], string, string]>([
  ['lost', LOST, LOST],
  [
    'rate_limited',
    LIMIT,
    "The provider's rate limit is reached (429). Lower the number of chains at once, or raise the limit there.",
  ],
  [
    'context_exhausted',
    FULL,
    'The conversation no longer fits into the window of sonnet. Take earlier turns out, send less at once, or begin another conversation.',
  ],
  [
    'max_turns',
    'The agent used all 30 turns without finishing. Raise the turn limit of this tier, or narrow its task.',
    'The agent used all 30 turns without finishing. Raise the turn limit of tier 1, or narrow its task.',
  ],
  [
    'bad_request',
    'The provider has no model opus for this key (404). Choose another model for this tier.',
    'The provider has no model opus for this key (404). Choose another model for this agent.',
  ],
  [
    'resume_rejected',
    REJECTED,
    "Couldn't continue the conversation: runner eu-1 has no conversation 5b8f3c1e….",
  ],
])('%s, and nothing follows', (end, text, sentence) => {
  expect(endedSentence(end, text)).toBe(sentence);
});
