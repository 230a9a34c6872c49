/**
 * Bounds of the figures that runners and agent CLIs report. A figure that is booked, compared or
 * stored in a column of its own is bounded where it enters. One out of range counts as unknown and
 * is named in `outOfRange`, so that the rest of its event is kept. A field of another kind, or a
 * figure that is only displayed, is left to the schema of its event.
 */
import { z } from 'zod';

/** Of one result. US dollars. */
export const MAX_COST_USD = 100_000;
/** Of one request: a hundred times the largest context window. */
export const MAX_REQUEST_TOKENS = 100_000_000;
/** Of one result, which may count a whole conversation. */
export const MAX_TOTAL_TOKENS = 1_000_000_000_000;
export const MAX_TURNS = 1_000_000;
/** 24 days: what a column of 32 bits holds. */
export const MAX_DURATION_MS = 2_147_483_647;
/** The year 2100, in seconds since the epoch. */
export const MAX_EPOCH_SECONDS = 4_102_444_800;
const MAX_MODEL_NAME = 200;
const MAX_MODELS = 50;
const MAX_NAMED = 20;

export const outOfRangeSchema = z
  .array(z.object({ figure: z.string(), value: z.string() }))
  .max(MAX_NAMED);
export type OutOfRange = z.infer<typeof outOfRangeSchema>;

interface Bound {
  min: number;
  max: number;
  isWhole: boolean;
  /** The value that replaces a figure out of range; null where the field allows no figure. */
  unknown: 0 | null;
}

const known = (max: number): Bound => ({ min: 0, max, isWhole: true, unknown: 0 });
const orNull = (max: number, isWhole = true): Bound => ({ min: 0, max, isWhole, unknown: null });

const BOUNDS: Record<string, Record<string, Bound>> = {
  request_usage: {
    inputTokens: known(MAX_REQUEST_TOKENS),
    outputTokens: known(MAX_REQUEST_TOKENS),
    cacheReadTokens: known(MAX_REQUEST_TOKENS),
    cacheWriteTokens: known(MAX_REQUEST_TOKENS),
  },
  result: {
    numTurns: orNull(MAX_TURNS),
    durationMs: orNull(MAX_DURATION_MS),
    durationApiMs: orNull(MAX_DURATION_MS),
    totalCostUsd: orNull(MAX_COST_USD, false),
  },
  rate_limit: { resetsAt: orNull(MAX_EPOCH_SECONDS, false) },
  check_result: { responseTimeMs: orNull(MAX_DURATION_MS) },
};

const TOTALS: Record<string, Bound> = {
  costUsd: orNull(MAX_COST_USD, false),
  // A window of 0 tokens would be full before the first request.
  contextWindow: { ...orNull(MAX_REQUEST_TOKENS), min: 1 },
};
const TOTAL_TOKENS = known(MAX_TOTAL_TOKENS);
const TOKEN_FIELDS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'];

/** The event with every figure within its bounds; anything that isn't an event stays as it is. */
export function boundFigures(event: unknown): unknown {
  if (!isRecord(event) || typeof event.kind !== 'string') return event;
  const bounds = BOUNDS[event.kind];
  if (!bounds) return event;
  const found: OutOfRange = [];
  const bounded = within(event, bounds, '', found);
  if (event.kind === 'result' && isRecord(event.modelUsage)) {
    bounded.modelUsage = boundModels(event.modelUsage, found);
  }
  if (found.length === 0) return event;
  const named = outOfRangeSchema.safeParse(event.outOfRange);
  return { ...bounded, outOfRange: [...(named.data ?? []), ...found].slice(0, MAX_NAMED) };
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
    const bad = TOKEN_FIELDS.filter((field) => isOut(totals[field], TOTAL_TOKENS));
    found.push(...bad.map((field) => named(`modelUsage.${name}.${field}`, totals[field])));
    const bounded = within(totals, TOTALS, `modelUsage.${name}.`, found);
    return bad.length > 0 ? [] : [[model, bounded] as const];
  });
  if (models.length > MAX_MODELS) {
    found.push({ figure: 'modelUsage', value: `${models.length} models` });
  }
  return Object.fromEntries(kept);
}

function within(
  record: Record<string, unknown>,
  bounds: Record<string, Bound>,
  prefix: string,
  found: OutOfRange,
): Record<string, unknown> {
  const bounded = { ...record };
  for (const [field, bound] of Object.entries(bounds)) {
    const value = record[field];
    if (!isOut(value, bound)) continue;
    found.push(named(`${prefix}${field}`, value));
    bounded[field] = bound.unknown;
  }
  return bounded;
}

/** A field that is missing is not out of range: that is for the schema to judge. */
function isOut(value: unknown, { min, max, isWhole, unknown }: Bound): boolean {
  if (value === undefined || (value === null && unknown === null)) return false;
  if (typeof value !== 'number' || !(value >= min && value <= max)) return true;
  return isWhole && !Number.isInteger(value);
}

function named(figure: string, value: unknown): OutOfRange[number] {
  return { figure, value: String(value).slice(0, 60) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
