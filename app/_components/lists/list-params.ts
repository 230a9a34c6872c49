import { decodeId, type IdPrefix } from '@/lib/platform/ids';

/** What the address of a list says. Anything unknown in it counts as not said. */
export type Params = Record<string, string | string[] | undefined>;

export const RANGES = ['24h', '7d', '30d', '90d', 'all'] as const;
export type Range = (typeof RANGES)[number];

const HOUR_MS = 3_600_000;
const SPANS_MS: Record<Exclude<Range, 'all'>, number> = {
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
  '90d': 90 * 24 * HOUR_MS,
};

export const RANGE_WORDS: Record<Range, string> = {
  '24h': '24 h',
  '7d': '7 d',
  '30d': '30 d',
  '90d': '90 d',
  all: 'all time',
};

export function textParam(params: Params, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : undefined;
}

export function choiceParam<Value extends string>(
  params: Params,
  name: string,
  choices: readonly Value[],
): Value | undefined {
  return choices.find((choice) => choice === params[name]);
}

export function tierParam(params: Params): 1 | 2 | 3 | undefined {
  return ([1, 2, 3] as const).find((tier) => String(tier) === params.tier);
}

export function rangeParam(params: Params, standard: Range): Range {
  return choiceParam(params, 'range', RANGES) ?? standard;
}

/** The moment a range reaches back to; undefined for all time. */
export function sinceOf(range: Range, now: Date): Date | undefined {
  return range === 'all' ? undefined : new Date(now.getTime() - SPANS_MS[range]);
}

/** `?from=&to=`: two moments, the second not included, as a plot's columns lead to a list. */
export function spanParam(params: Params): { from: Date; to: Date } | null {
  const [from, to] = ['from', 'to'].map((name) => new Date(textParam(params, name) ?? ''));
  return from && to && from < to ? { from, to } : null;
}

/** The address with one part changed; a changed filter starts from the newest again. */
export function hrefWith(
  path: string,
  params: Params,
  change: Record<string, string | null>,
): string {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'string' && value !== '' && !(name in change)) next.set(name, value);
  }
  next.delete('before');
  next.delete('after');
  for (const [name, value] of Object.entries(change)) if (value) next.set(name, value);
  const search = next.toString();
  return search === '' ? path : `${path}?${search}`;
}

/** An id in the address, such as `chn_…`; what cannot be one counts as not said. */
export function idParam(params: Params, name: string, prefix: IdPrefix): string | undefined {
  const text = textParam(params, name);
  return text && decodeId(prefix, text) ? text : undefined;
}
