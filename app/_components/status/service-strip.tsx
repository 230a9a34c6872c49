'use client';

import { Link } from '@/app/_components/ui/link';
import { useSingleStop } from '../keys/use-single-stop';
import { cn } from '../ui/cn';
import type { StateOf } from './states';

export interface StripCell {
  /** The chain's number: "Chain #12" in the cell's name. */
  chainNumber: number;
  href: string;
  /** The worst that the chain found. */
  state: StateOf<'service'>;
  /** How it was healthy again at the end of the chain; null when it was healthy throughout, or isn't. */
  recovery: { kind: 'repaired'; tier: number } | { kind: 'recovered' } | null;
  /** When, as a short text: "14:50". */
  at: string;
}

interface ServiceStripProps {
  /** The service's name. */
  label: string;
  /** Oldest first; the newest 48 are shown. */
  cells: readonly StripCell[];
  className?: string;
}

const MAX_CELLS = 48;

const CELLS: Record<StateOf<'service'>, { word: string; style: string }> = {
  healthy: { word: 'Healthy', style: 'h-full bg-ok-mark' },
  degraded: { word: 'Degraded', style: 'h-3/5 bg-wait-mark' },
  down: { word: 'Down', style: 'h-[30%] bg-bad-mark' },
  unknown: { word: 'Not checked', style: 'h-px bg-control' },
};

/**
 * One cell a chain, by the worst it found: tone and height say the same. What was healthy again at
 * its end has half the height, and a dot when a tier repaired it. One stop of Tab; arrows move inside.
 */
export function ServiceStrip({ label, cells, className }: ServiceStripProps) {
  const shown = cells.slice(-MAX_CELLS);
  const { length } = shown;
  const { current, list } = useSingleStop<HTMLUListElement>(length, 'a', length - 1);

  if (shown.length === 0) return <span className="text-meta text-text-3">Not checked yet</span>;
  return (
    <ul
      {...list}
      aria-label={`${label}, last ${shown.length === 1 ? 'chain' : `${shown.length} chains`}`}
      className={cn('relative z-10 flex h-6 justify-end', className)}
    >
      {shown.map((cell, index) => (
        <li key={cell.chainNumber} className="h-full max-w-2 flex-1">
          <Link
            href={cell.href}
            prefetch={false}
            tabIndex={index === current ? 0 : -1}
            aria-label={`Chain #${cell.chainNumber}: ${stripWords(cell)}, ${cell.at}`}
            title={`Chain #${cell.chainNumber} · ${stripWords(cell)} · ${cell.at}`}
            className="flex h-full flex-col items-center justify-end gap-0.5 pr-px hover:bg-hover"
          >
            {cell.recovery?.kind === 'repaired' ? <RepairedMark /> : null}
            <span
              data-bar
              className={cn(
                'w-full rounded-[1px]',
                CELLS[cell.state].style,
                cell.recovery && 'h-1/2',
              )}
            />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** `Down, repaired by tier 2`. */
export function stripWords({ state, recovery }: Pick<StripCell, 'state' | 'recovery'>): string {
  const { word } = CELLS[state];
  if (!recovery) return word;
  return recovery.kind === 'repaired'
    ? `${word}, repaired by tier ${recovery.tier}`
    : `${word}, then healthy without a repair`;
}

/** Over a cell, and in the legend of a strip that has one. */
export function RepairedMark() {
  return <span aria-hidden data-repaired="" className="size-1 shrink-0 rounded-full bg-ok-mark" />;
}
