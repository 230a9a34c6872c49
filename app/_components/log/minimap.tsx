'use client';

import { useMemo } from 'react';
import { useSingleStop } from '../keys/use-single-stop';
import { cn } from '../ui/cn';
import { callEnd } from './calls';
import { isDenied, type LogRow } from './events';
import { callsOf } from './rows';

const LOOK: Record<Weight, string> = {
  quiet: 'h-1.5 bg-control',
  call: 'h-3 bg-control',
  wait: 'h-4 bg-wait-mark',
  bad: 'h-4 bg-bad-mark',
};

interface MinimapProps {
  rows: readonly LogRow[];
  onJump: (seq: number) => void;
}

/** The whole log at a glance; a tick jumps there. One stop of Tab, arrows move inside. */
export function Minimap({ rows, onJump }: MinimapProps) {
  const ticks = useMemo(() => minimapTicks(rows), [rows]);
  const { current, list } = useSingleStop<HTMLElement>(ticks.length, 'button', 0);

  if (ticks.length < 2) return null;
  return (
    <nav
      {...list}
      aria-label="Map of the log"
      className="flex h-6 items-end gap-px border-line border-b px-3 pb-0.5 max-md:hidden"
    >
      {ticks.map((tick, index) => (
        <button
          key={tick.seq}
          type="button"
          tabIndex={index === current ? 0 : -1}
          title={tick.label}
          aria-label={tick.label}
          onClick={() => onJump(tick.seq)}
          className="group/tick flex h-full max-w-2 min-w-0 flex-1 items-end"
        >
          <span
            data-bar
            className={cn('w-full rounded-[1px] group-hover/tick:bg-text', LOOK[tick.weight])}
          />
        </button>
      ))}
    </nav>
  );
}

const MAX_TICKS = 160;

type Weight = 'bad' | 'wait' | 'call' | 'quiet';

interface Tick {
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
  if (row.type === 'missing' || isDeniedRow(row)) return 'wait';
  if (row.type === 'event') {
    if (row.event.kind !== 'notice') return 'quiet';
    return ({ info: 'quiet', warning: 'wait', critical: 'bad' } as const)[row.event.level];
  }
  const ends = callsOf(row).map(callEnd);
  if (ends.includes('failed')) return 'bad';
  if (ends.includes('denied')) return 'wait';
  return ends.length > 0 ? 'call' : 'quiet';
}

function isDeniedRow(row: LogRow): boolean {
  return row.type === 'event' && row.event.kind === 'brokered' && isDenied(row.event);
}

const TICKED: readonly string[] = ['notice', 'tool_result'];

/** One tick for each request or notice; in a long log one tick for several, drawn as the most severe. */
export function minimapTicks(rows: readonly LogRow[]): Tick[] {
  const shown = rows.filter(
    (row) => row.type !== 'event' || isDeniedRow(row) || TICKED.includes(row.event.kind),
  );
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
  if (isDeniedRow(row)) return `Command${SAID.wait}`;
  if (row.type === 'request') return `Request ${row.number}${SAID[weight]}`;
  return row.type === 'event' ? row.event.kind.replaceAll('_', ' ') : row.type;
}
