/**
 * Bounds of the figures that runners and agent CLIs report. A figure that is booked, compared or
 * stored in a column of its own is bounded where it enters. One out of range counts as unknown and
 * is named in `outOfRange`, so that the rest of its event is kept. A field of another kind, or a
 * figure that is only displayed, is left to the schema of its event.
 */
import { z } from 'zod';

/** Of one result. US dollars. */
export const MAX_COST_USD = 100_000;
/** Of one result, which may count a whole conversation. */
export const MAX_TOTAL_TOKENS = 1_000_000_000_000;
const MAX_MODEL_NAME = 200;
const MAX_MODELS = 50;
const MAX_NAMED = 20;

export const outOfRangeSchema = z
  .array(z.object({ figure: z.string(), value: z.string() }))
  .max(MAX_NAMED);
export type OutOfRange = z.infer<typeof outOfRangeSchema>;

const count = z.number().int().nonnegative();
const usDollars = z.number().nonnegative().max(MAX_COST_USD).nullable();
/** Up to 24 days: what a column of 32 bits holds. */
export const milliseconds = count.max(2_147_483_647);
/** Of one request: up to a hundred times the largest context window. */
export const requestTokens = count.max(100_000_000);

const tokens = (of: z.ZodNumber) => ({
  inputTokens: of,
  outputTokens: of,
  cacheReadTokens: of,
  cacheWriteTokens: of,
});

/** The bounded figures of events, by kind. One that can't be null is 0 where it is unknown. */
export const FIGURES = {
  request_usage: tokens(requestTokens),
  result: {
    numTurns: count.max(1_000_000).nullable(),
    durationMs: milliseconds.nullable(),
    durationApiMs: milliseconds.nullable(),
    totalCostUsd: usDollars,
  },
  /** Seconds since the epoch, up to the year 2100. */
  rate_limit: { resetsAt: z.number().nonnegative().max(4_102_444_800).nullable() },
  check_result: { responseTimeMs: milliseconds.nullable() },
};

const TOTAL_TOKENS = tokens(count.max(MAX_TOTAL_TOKENS));
export const modelUsageSchema = z.object({
  ...TOTAL_TOKENS,
  /** US dollars as the CLI computed them; null where it reported none that can be. */
  costUsd: usDollars,
  /** Tokens; null where the CLI did not report it. A window of 0 would be full before the first request. */
  contextWindow: requestTokens.min(1).nullable(),
});
export type ModelUsage = z.infer<typeof modelUsageSchema>;

/** The event with every figure within its bounds; anything that isn't an event stays as it is. */
export function boundFigures(event: unknown): unknown {
  if (!isRecord(event)) return event;
  const figures = Object.entries(FIGURES).find(([kind]) => kind === event.kind)?.[1];
  if (!figures) return event;
  const found: OutOfRange = [];
  const bounded = within(event, figures, '', found);
  if (event.kind === 'result' && isRecord(event.modelUsage)) {
    bounded.modelUsage = boundModels(event.modelUsage, found);
  }
  if (found.length === 0) return event;
  const before = outOfRangeSchema.safeParse(event.outOfRange);
  return { ...bounded, outOfRange: [...(before.data ?? []), ...found].slice(0, MAX_NAMED) };
}

/** Excludes models whose tokens are unknown: the stream gives an estimate of what they used. */
function boundModels(usage: Record<string, unknown>, found: OutOfRange): Record<string, unknown> {
  const models = Object.entries(usage);
  const kept = models.slice(0, MAX_MODELS).flatMap(([model, totals]) => {
    const name = model.slice(0, 60);
    if (model.length > MAX_MODEL_NAME) {
      found.push({ figure: 'modelUsage', value: `a model name of ${model.length} characters` });
      return [];
    }
    if (!isRecord(totals)) return [[model, totals] as const];
    const bounded = within(totals, modelUsageSchema.shape, `modelUsage.${name}.`, found);
    const isKnown = Object.keys(TOTAL_TOKENS).every((field) => bounded[field] === totals[field]);
    return isKnown ? [[model, bounded] as const] : [];
  });
  if (models.length > MAX_MODELS) {
    found.push({ figure: 'modelUsage', value: `${models.length} models` });
  }
  return Object.fromEntries(kept);
}

function within(
  record: Record<string, unknown>,
  figures: Record<string, z.ZodType>,
  prefix: string,
  found: OutOfRange,
): Record<string, unknown> {
  const bounded = { ...record };
  for (const [field, figure] of Object.entries(figures)) {
    const value = record[field];
    // One that is missing is for the schema of the event to judge.
    if (value === undefined || figure.safeParse(value).success) continue;
    found.push({ figure: `${prefix}${field}`, value: String(value).slice(0, 60) });
    bounded[field] = figure.safeParse(null).success ? null : 0;
  }
  return bounded;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
