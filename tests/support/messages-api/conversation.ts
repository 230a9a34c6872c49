/** What the model was told, without what the CLI adds of its own to every request. */
import type { ApiMessage, RecordedRequest } from './recorded-request';

export interface Turn {
  role: 'user' | 'assistant';
  blocks: Record<string, unknown>[];
}

/**
 * A report ends the parent's process right after a tool result. The CLI takes that for a turn
 * that was cut off and closes it with these words before the next prompt.
 */
const FILLERS = new Set(['Continue from where you left off.', 'No response requested.']);

/** The request's messages, without reminders, system messages, fillers and cache marks. */
export function conversationOf(request: RecordedRequest): Turn[] {
  return request.body.messages.flatMap(({ role, content }) => {
    if (role === 'system') return [];
    const blocks = blocksOf(content).filter((block) => !isOfTheCli(block));
    return blocks.length === 0 ? [] : [{ role, blocks }];
  });
}

function blocksOf(content: ApiMessage['content']): Record<string, unknown>[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map(({ cache_control: _, ...block }) => block);
}

function isOfTheCli({ type, text }: Record<string, unknown>): boolean {
  if (type !== 'text' || typeof text !== 'string') return false;
  return text.startsWith('<system-reminder>') || FILLERS.has(text);
}
