import { type GrowingText, growText } from '@/lib/platform/redaction/growing-text';
import type { Redactor } from '@/lib/platform/redaction/redactor';
import type { AnswerPartEvent } from '@/lib/protocol/events';

/** Tells an answer while it is written: at once where it begins, then a few times a second. */
export interface AnswerParts {
  take(part: Pick<AnswerPartEvent, 'messageId' | 'text'>): void;
  /** It has come whole, or never will. */
  end(): void;
}

const COLLECT_MS = 250;
/** Until something can be published, every piece is checked, as long as that is cheap. */
const BEGINNING_CHARACTERS = 500;

/**
 * Pieces go the way of all events, by the spool: numbered, so that none comes twice or in another
 * order than the message that replaces them, and fenced, so that nothing of a lost process shows.
 * Each holds only what is new, so all of them together are as long as the answer.
 */
export function collectAnswerParts(
  redactor: Pick<Redactor, 'text' | 'hasOpenEnd'>,
  tell: (part: AnswerPartEvent) => void,
): AnswerParts {
  let written: {
    messageId: string;
    text: GrowingText;
    characters: number;
    hasNew: boolean;
  } | null = null;
  let timer: NodeJS.Timeout | null = null;

  function reportNew(): void {
    if (written === null || timer !== null) return;
    const { messageId, characters } = written;
    const text = written.text.take();
    if (text !== '') tell({ kind: 'answer_part', messageId, text });
    else if (characters < BEGINNING_CHARACTERS) return;
    written.hasNew = false;
    timer = setTimeout(() => {
      timer = null;
      if (written?.hasNew) reportNew();
    }, COLLECT_MS);
  }

  function end(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    written = null;
  }

  return {
    take({ messageId, text }) {
      if (written?.messageId !== messageId) {
        end();
        written = { messageId, text: growText(redactor), characters: 0, hasNew: true };
      }
      if (written === null) return;
      written.text.add(text);
      written.characters += text.length;
      written.hasNew = true;
      reportNew();
    },
    end,
  };
}
