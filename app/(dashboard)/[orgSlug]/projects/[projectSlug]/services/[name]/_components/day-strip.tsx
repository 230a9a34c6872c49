'use client';

import { useSingleStop } from '@/app/_components/keys/use-single-stop';
import { RepairedMark } from '@/app/_components/status/service-strip';
import type { StateOf } from '@/app/_components/status/states';
import { TimeBar } from '@/app/_components/status/time-bar';
import { cn } from '@/app/_components/ui/cn';
import { Link } from '@/app/_components/ui/link';

interface DayCell {
  label: string;
  /** The worst that was found in it. */
  state: StateOf<'service'>;
  /** How much of its time is known: 0 to 1. */
  knownShare: number;
  /** `down in 3 of 7 chains, repaired in 3`, `down for 4m 10s`. */
  words: string;
  /** Whatever failed in its chains was repaired in them. */
  isRepaired: boolean;
  /** What it rests on: the chains of that time, or the failed results. */
  href: string;
}

/**
 * One cell per column, colored by its worst state; half as high, with a dot, if every outage in it was repaired. Tab
 * reaches the strip once; arrow keys move between cells, and Enter opens the focused one.
 */
export function DayStrip({ label, cells }: { label: string; cells: readonly DayCell[] }) {
  const { length } = cells;
  const { current, setActive, list } = useSingleStop<HTMLUListElement>(length, 'a', length - 1);
  const shown = cells[current];

  return (
    <div className="flex flex-col gap-2">
      <ul {...list} aria-label={label} className="flex h-10 gap-0.5">
        {cells.map((cell, index) => (
          <li key={cell.label} className="h-full flex-1">
            <Link
              href={cell.href}
              prefetch={false}
              tabIndex={index === current ? 0 : -1}
              aria-label={`${cell.label}: ${cell.words}`}
              onPointerEnter={() => setActive(index)}
              onFocus={() => setActive(index)}
              className={cn(
                'flex h-full flex-col items-center justify-end gap-0.5 hover:bg-hover',
                index === current && 'bg-hover',
              )}
            >
              {cell.isRepaired ? <RepairedMark /> : null}
              <TimeBar
                state={cell.state}
                knownShare={cell.knownShare}
                isRepaired={cell.isRepaired}
              />
            </Link>
          </li>
        ))}
      </ul>
      <div className="flex justify-between gap-4 text-meta text-text-3 max-md:flex-wrap">
        <span>{cells[0]?.label}</span>
        {shown ? (
          <span aria-hidden className="text-text-2 tabular-nums">
            {shown.label}: {shown.words}
          </span>
        ) : null}
        <span>{cells.at(-1)?.label}, so far</span>
      </div>
    </div>
  );
}
