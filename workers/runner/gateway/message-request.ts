/** One request to the model on its way: metered while its answer passes, and booked once it is over. */
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { estimateCost, type PriceTable } from '@/lib/agents/prices';
import { UNANSWERED } from '@/lib/protocol/event-codes';
import type { Admitted } from './admission';
import { answeredHeaders, drained } from './http';
import type { AllowedRequest } from './request-body';
import { createUsageMeter, type MeteredRequest, type UsageMeter } from './usage-meter';

export interface MessageRequest {
  /** Passes the answer on. @throws Error if it, or the connection to the provider, is cut off */
  forward(ask: (signal: AbortSignal) => Promise<Dispatcher.ResponseData>): Promise<void>;
  /** Ends it now, and books it. */
  stop(): void;
}

interface MessageOptions {
  request: AllowedRequest;
  bodyBytes: number;
  admitted: Admitted;
  prices: PriceTable;
  response: ServerResponse;
  /** The agent has closed its connection. */
  gone: AbortSignal;
  /** How long the answer is read after that. */
  drainMs: number;
  /** Whether the budget is exceeded, now that something more was spent. */
  isBudgetUsed(): boolean;
  /** It is over. Null if it has cost nothing. */
  onEnded(metered: (MeteredRequest & { durationMs: number }) | null): void;
}

export function createMessageRequest(options: MessageOptions): MessageRequest {
  const { admitted, response, prices } = options;
  const startedAt = performance.now();
  const stopping = new AbortController();
  let meter: UsageMeter | null = null;
  let isOver = false;
  let isAbandoned = false;

  function book(metered: MeteredRequest): void {
    admitted.spentUsd = estimateCost(prices, metered.model, metered);
  }

  /** @param isUnknown it may have cost something that its answer doesn't say */
  function end(isUnknown: boolean): void {
    if (isOver) return;
    isOver = true;
    const known = meter?.request ?? (isUnknown ? estimateOf(options) : null);
    const metered = known && isAbandoned ? { ...known, outputTokens: admitted.maxTokens } : known;
    if (metered !== null) book(metered);
    admitted.release();
    const durationMs = Math.round(performance.now() - startedAt);
    options.onEnded(metered && { ...metered, durationMs });
  }

  /** Cuts the answer off after the piece that uses up the budget. */
  async function passOn(body: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of body) {
      meter?.push(chunk);
      if (meter?.request) book(meter.request);
      const isUsed = options.isBudgetUsed();
      if (!response.destroyed && !response.write(chunk)) await drained(response);
      if (isUsed) throw new Error('the budget is used up');
    }
    response.end();
  }

  // The provider charges for all of an answer that nobody reads, so it is metered to its end.
  let drain: NodeJS.Timeout | undefined;
  const abandonLater = () => {
    drain = setTimeout(() => {
      isAbandoned = true;
      stopping.abort();
    }, options.drainMs);
  };
  if (options.gone.aborted) abandonLater();
  else options.gone.addEventListener('abort', abandonLater);

  return {
    async forward(ask) {
      let isUnknown = false;
      try {
        const { statusCode, headers, body } = await ask(stopping.signal);
        const isMessage = statusCode >= 200 && statusCode < 300;
        if (isMessage) meter = createUsageMeter(String(headers['content-type'] ?? ''));
        if (!response.destroyed) response.writeHead(statusCode, answeredHeaders(headers));
        await passOn(body);
        isUnknown = isMessage;
      } catch (error) {
        isUnknown = stopping.signal.aborted;
        throw error;
      } finally {
        options.gone.removeEventListener('abort', abandonLater);
        clearTimeout(drain);
        end(isUnknown);
      }
    },
    stop() {
      stopping.abort();
      end(true);
    },
  };
}

/** Characters of text, and of JSON around it; a rough mean. */
const CHARS_PER_TOKEN = 4;

/**
 * Returns what a request may have cost of which nothing else is known. The provider finishes an answer
 * that isn't streamed even if nobody reads it, and doesn't begin one that is.
 */
function estimateOf({ request, bodyBytes, admitted }: MessageOptions): MeteredRequest {
  return {
    messageId: UNANSWERED,
    model: request.model,
    inputTokens: Math.ceil(bodyBytes / CHARS_PER_TOKEN),
    outputTokens: request.isStreamed ? 0 : admitted.maxTokens,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    isComplete: false,
  };
}
