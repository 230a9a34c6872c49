import { createRedactor } from '@/lib/platform/redaction/redactor';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { KeptUnfinished } from './schema';

/** A runner sends at most 40,000 before redaction; this limits one that doesn't keep to it. */
const MAX_CHARACTERS = 60_000;
const MARKER_AT_END = /\[redacted: [a-z0-9 ]+\]["'\\]*$/;

const redactor = createRedactor({ secrets: [] });

/** With pieces that nobody has looked at yet, behind `shown`, which is redacted. */
interface Growing extends KeptUnfinished {
  shown: string;
}

/**
 * Returns what is being written after these events. A whole text takes the place of its pieces, and
 * so does another message: where the agent was asked again, what broke off is nobody's answer.
 *
 * Pieces are redacted together with all before them. A runner holds back whatever may become part
 * of a secret, so the text that it has sent is never open at its end. Where it is, it comes from a
 * runner that redacts nothing, or less: this piece and all after it are dropped, since the rest of
 * a secret could not be recognized without its beginning.
 */
export function grownBy(
  before: KeptUnfinished | null,
  events: readonly RunnerEvent[],
): KeptUnfinished | null {
  const begun = before && { ...before, shown: before.text };
  const grown = events.reduce<Growing | null>((answer, event) => {
    if (event.kind === 'text' && event.parentToolUseId === null) return null;
    // It has the whole answer.
    if (event.kind === 'result' && !event.isError) return null;
    if (event.kind !== 'answer_part') return answer;
    const { messageId, text } = event;
    const same = answer?.messageId === messageId ? answer : { messageId, text: '', shown: '' };
    return same.isCut ? same : { ...same, text: same.text + text };
  }, begun);
  if (grown === begun) return before;
  return grown && reviewed(grown);
}

function reviewed({ messageId, text, shown, isCut }: Growing): KeptUnfinished {
  if (isCut || text.length > MAX_CHARACTERS) return { messageId, text: shown, isCut: true };
  const redacted = redactor.text(text);
  return isClosed(text, redacted)
    ? { messageId, text: redacted }
    : { messageId, text: shown, isCut: true };
}

function isClosed(text: string, redacted: string): boolean {
  // The runner itself has redacted a value whose end it has not seen: the rest is redacted too.
  if (text === redacted && MARKER_AT_END.test(text)) return !redactor.hasOpenEnd(`${text} `);
  return /\s$/.test(redacted) && !redactor.hasOpenEnd(text);
}
