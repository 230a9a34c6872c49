import { callEnd } from '../fold';
import type { LogRow } from '../log-rows';
import { callsOf } from './open-calls';

const MAX_TICKS = 160;

export type Weight = 'bad' | 'wait' | 'call' | 'quiet';

export interface Tick {
  seq: number;
  weight: Weight;
  label: string;
}

const RANK: Record<Weight, number> = { quiet: 0, call: 1, wait: 2, bad: 3 };
// A row that did not change stays the same object, and so does what it weighs.
const weights = new WeakMap<LogRow, Weight>();

function weightOf(row: LogRow): Weight {
  const known = weights.get(row);
  if (known) return known;
  const weight = weigh(row);
  weights.set(row, weight);
  return weight;
}

function weigh(row: LogRow): Weight {
  if (row.type === 'notice') {
    return ({ info: 'quiet', warning: 'wait', critical: 'bad' } as const)[row.level];
  }
  if (row.type === 'missing') return 'wait';
  const ends = callsOf(row).map(callEnd);
  if (ends.includes('failed')) return 'bad';
  if (ends.includes('denied')) return 'wait';
  return ends.length > 0 ? 'call' : 'quiet';
}

/** One tick a request or notice; in a long log the weightiest of its neighbours stands for them. */
export function minimapTicks(rows: readonly LogRow[]): Tick[] {
  const shown = rows.filter((row) => row.type !== 'meta' && row.type !== 'stderr');
  const size = Math.max(1, Math.ceil(shown.length / MAX_TICKS));
  const ticks: Tick[] = [];
  for (let from = 0; from < shown.length; from += size) {
    const group = shown.slice(from, from + size).map((row) => ({ row, weight: weightOf(row) }));
    const [first, ...others] = group;
    if (!first) continue;
    const top = others.reduce(
      (best, one) => (RANK[one.weight] > RANK[best.weight] ? one : best),
      first,
    );
    ticks.push({ seq: top.row.seq, weight: top.weight, label: labelOf(top.row, top.weight) });
  }
  return ticks;
}

const SAID: Record<Weight, string> = { quiet: '', call: '', wait: ', denied', bad: ', failed' };

function labelOf(row: LogRow, weight: Weight): string {
  const what = row.type === 'request' ? `Request ${row.number}` : row.type.replaceAll('_', ' ');
  return `${what}${row.type === 'request' ? SAID[weight] : ''}`;
}
