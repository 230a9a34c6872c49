import { type EndText, told } from '@/lib/agents/attempt-end';
import type { AfterFailure } from '@/lib/engine/continuation/retry';
import { roughSpan } from '@/lib/platform/format/duration';

/** Returns the text about a tier that did not complete: what happened, what follows, what to do. */
export function failureSentence({ happened, advice }: EndText, after: AfterFailure): string {
  switch (after.kind) {
    case 'end':
      return told(happened, after.sentence, advice);
    case 'fallback':
      return told(happened, 'The next attempt starts from the handoff.', advice);
    case 'retry':
      return after.afterSeconds > 0
        ? told(happened, `The next try is in ${roughSpan(after.afterSeconds)}.`, advice)
        : told(happened, 'It is tried once more.');
    case 'continue':
      return told(
        happened,
        'All its calls had ended, so it is continued once in its own conversation.',
      );
    case 'reconcile':
      if (after.reason === 'CONTINUE_SPENT') {
        return told(
          happened,
          'It was continued once before. It may have changed something: an observe-only check comes first.',
        );
      }
      return told(happened, 'It may have changed something: an observe-only check comes first.');
  }
}
