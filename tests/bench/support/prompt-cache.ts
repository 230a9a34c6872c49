/** What a provider's cache would do with the requests of the CLI, for a scripted API that has none. */
import type { RecordedRequest } from '@/tests/support/messages-api/recorded-request';
import type { ReplyUsage } from '@/tests/support/messages-api/reply';

/** Good enough to compare two ways of sending the same words. */
const BYTES_PER_TOKEN = 4;

/**
 * Counts every request's tokens. What it shares with an earlier one from the beginning on, tools
 * first, then the system prompt, then messages, block by block, is read from the cache.
 */
export function promptCache(): (request: RecordedRequest) => ReplyUsage {
  const seen: string[][] = [];
  return (request) => {
    const blocks = blocksOf(request);
    const shared = Math.max(0, ...seen.map((earlier) => sharedBlocks(earlier, blocks)));
    seen.push(blocks);
    return {
      inputTokens: 0,
      outputTokens: 100,
      cacheReadTokens: tokensOf(blocks.slice(0, shared)),
      cacheWriteTokens: tokensOf(blocks.slice(shared)),
    };
  };
}

function blocksOf({ body }: RecordedRequest): string[] {
  const { tools = [], system = [], messages } = body;
  const listed = (content: typeof system) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return [
    ...tools,
    // The CLI signs every request in a block of its own, which the provider takes out.
    ...listed(system).filter(({ text }) => !String(text).startsWith('x-anthropic-billing-header')),
    ...messages.flatMap(({ role, content }) =>
      listed(content).map((block) => ({ ...block, role })),
    ),
  ].map(({ cache_control: _, ...block }: Record<string, unknown>) => JSON.stringify(block));
}

function sharedBlocks(earlier: readonly string[], blocks: readonly string[]): number {
  const first = blocks.findIndex((block, index) => block !== earlier[index]);
  return first === -1 ? blocks.length : first;
}

function tokensOf(blocks: readonly string[]): number {
  const bytes = blocks.reduce((sum, block) => sum + Buffer.byteLength(block), 0);
  return Math.round(bytes / BYTES_PER_TOKEN);
}
