import { expect, it } from 'vitest';
import type { AfterFailure } from '@/lib/engine/continuation/retry';
import { failureSentence } from './after-failure';

const text = { happened: "Runner eu-1 can't reach the provider.", advice: 'Check its network.' };

it.each<[string, AfterFailure, string]>([
  [
    'its end: why nothing follows, then what to do',
    {
      kind: 'end',
      reason: 'RETRIES_SPENT',
      sessionStatus: 'failed',
      chainOutcome: 'failed',
      needsHuman: false,
      sentence: 'It was tried twice. The next chain starts as usual.',
    },
    "Runner eu-1 can't reach the provider. It was tried twice. The next chain starts as usual. Check its network.",
  ],
  [
    'a fallback',
    { kind: 'fallback', reason: 'CONTEXT_EXHAUSTED' },
    "Runner eu-1 can't reach the provider. The next attempt starts from the handoff. Check its network.",
  ],
  [
    'a try at once: nothing to do meanwhile',
    { kind: 'retry', reason: 'RETRY_ONCE', afterSeconds: 0 },
    "Runner eu-1 can't reach the provider. It is retried once.",
  ],
  [
    'a try later',
    { kind: 'retry', reason: 'RETRY_ONCE', afterSeconds: 90 },
    "Runner eu-1 can't reach the provider. The next retry is in 2 min. Check its network.",
  ],
  [
    'a look at what it may have done',
    { kind: 'reconcile', reason: 'MAY_HAVE_CHANGED' },
    "Runner eu-1 can't reach the provider. It may have changed something: an observe-only check runs first.",
  ],
])('%s', (_, after, sentence) => {
  expect(failureSentence(text, after)).toBe(sentence);
});

it('says nothing where there is nothing to do', () => {
  const after = { kind: 'fallback', reason: 'RESUME_REJECTED' } as const;
  expect(failureSentence({ happened: 'Gone.', advice: '' }, after)).toBe(
    'Gone. The next attempt starts from the handoff.',
  );
});
