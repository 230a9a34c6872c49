// @ts-check

/** US dollars per million tokens: input, output, cache read, cache write. */
/** @type {Record<string, [number, number, number, number]>} */
const prices = {
  haiku: [1, 5, 0.1, 1.25],
  sonnet: [3, 15, 0.3, 3.75],
  opus: [5, 25, 0.5, 6.25],
};
const CONTEXT_WINDOW = 200_000;
const CHARACTERS_PER_TOKEN = 4;
/** What stands before every conversation, as the CLI's own prompt does. */
const BASE_TOKENS = 3_200;

/** @param {unknown} value */
export function tokensOf(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** The alias as it stands in `--model`, or the name's family. @param {string} model */
function family(model) {
  return Object.keys(prices).find((name) => model.includes(name)) ?? 'haiku';
}

/**
 * US dollars of one stored request.
 * @param {string} model @param {import('./conversation.mjs').Usage} usage
 */
export function costOf(model, usage) {
  const [input, output, read, write] = prices[family(model)] ?? [0, 0, 0, 0];
  return (
    (usage.input_tokens * input +
      usage.output_tokens * output +
      usage.cache_read_input_tokens * read +
      usage.cache_creation_input_tokens * write) /
    1_000_000
  );
}

/**
 * Meters this process alone, as CLI 2.1.197 does. Figures come from the lengths of the texts; what
 * was sent before counts as read from the cache.
 */
export class Meter {
  requests = 0;
  input = 0;
  output = 0;
  cacheRead = 0;
  cacheWrite = 0;
  #cached = 0;

  /** @param {string} model @param {unknown} history what a resumed conversation has cached already */
  constructor(model, history) {
    this.name = `demo-${family(model)}`;
    this.price = prices[family(model)] ?? [0, 0, 0, 0];
    if (Array.isArray(history) && history.length > 0)
      this.#cached = BASE_TOKENS + tokensOf(history);
  }

  /** Usage at the start of a request. @param {unknown} messages @param {string} systemPrompt */
  begin(messages, systemPrompt) {
    const context = BASE_TOKENS + tokensOf(systemPrompt) + tokensOf(messages);
    const read = Math.min(this.#cached, context - 1);
    const usage = {
      input_tokens: 1,
      cache_creation_input_tokens: context - read - 1,
      cache_read_input_tokens: read,
      output_tokens: 1,
      service_tier: 'standard',
    };
    this.#cached = context;
    this.requests += 1;
    this.input += usage.input_tokens;
    this.cacheRead += usage.cache_read_input_tokens;
    this.cacheWrite += usage.cache_creation_input_tokens;
    return usage;
  }

  /** The final count of a request. @param {unknown} answer */
  end(answer) {
    const tokens = tokensOf(answer);
    this.output += tokens;
    return tokens;
  }

  get costUsd() {
    const [input, output, read, write] = this.price;
    const microUsd =
      this.input * input + this.output * output + this.cacheRead * read + this.cacheWrite * write;
    return Math.round(microUsd) / 1_000_000;
  }

  /** As `usage` of a result. */
  totals() {
    return {
      input_tokens: this.input,
      cache_creation_input_tokens: this.cacheWrite,
      cache_read_input_tokens: this.cacheRead,
      output_tokens: this.output,
      server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
      service_tier: 'standard',
    };
  }

  /** As `modelUsage` of a result; empty when no request was made. */
  byModel() {
    if (this.requests === 0) return {};
    return {
      [this.name]: {
        inputTokens: this.input,
        outputTokens: this.output,
        cacheReadInputTokens: this.cacheRead,
        cacheCreationInputTokens: this.cacheWrite,
        webSearchRequests: 0,
        costUSD: this.costUsd,
        contextWindow: CONTEXT_WINDOW,
        maxOutputTokens: 32_000,
      },
    };
  }
}
