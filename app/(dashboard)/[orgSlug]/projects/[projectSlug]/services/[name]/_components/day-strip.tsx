'use client';

import { type KeyboardEvent, useRef, useState } from 'react';
import type { StateOf } from '@/app/_components/status/states';
import { cn } from '@/app/_components/ui/cn';
import { Link } from '@/app/_components/ui/link';

interface DayCell {
  label: string;
  state: StateOf<'service'>;
  cycles: number;
  healthy: number;
  isCurrent: boolean;
  /** The chains of that time. */
  href: string;
}

/** As in the strips of the dashboard: tone and height say the same. */
const STYLES: Record<StateOf<'service'>, string> = {
  healthy: 'h-full bg-ok-mark',
  degraded: 'h-3/5 bg-wait-mark',
  down: 'h-[30%] bg-bad-mark',
  unknown: 'h-px bg-control',
};
const WORDS: Record<StateOf<'service'>, string> = {
  healthy: 'Healthy',
  degraded: 'Degraded at worst',
  down: 'Down at worst',
  unknown: 'Not checked',
};

/** One cell a day, by its worst cycle. One stop of Tab; arrows move, Enter opens the chains. */
export function DayStrip({ label, cells }: { label: string; cells: readonly DayCell[] }) {
  const [active, setActive] = useState(cells.length - 1);
  const list = useRef<HTMLUListElement>(null);
  const current = Math.min(active, cells.length - 1);
  const shown = cells[current];

  function onKeyDown(event: KeyboardEvent) {
    const target = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      Home: 0,
      End: cells.length - 1,
    }[event.key];
    if (target === undefined || !cells[target]) return;
    event.preventDefault();
    setActive(target);
    list.current?.querySelectorAll('a')[target]?.focus();
  }

  return (
    <div className="flex flex-col gap-2">
      <ul ref={list} aria-label={label} onKeyDown={onKeyDown} className="flex h-10 gap-0.5">
        {cells.map((cell, index) => (
          <li key={cell.href} className="h-full flex-1">
            <Link
              href={cell.href}
              prefetch={false}
              tabIndex={index === current ? 0 : -1}
              aria-label={`${cell.label}: ${figuresOf(cell)}`}
              onPointerEnter={() => setActive(index)}
              onFocus={() => setActive(index)}
              className={cn(
                'flex h-full items-end hover:bg-hover',
                index === current && 'bg-hover',
              )}
            >
              <span data-bar="" className={cn('w-full rounded-[1px]', STYLES[cell.state])} />
            </Link>
          </li>
        ))}
      </ul>
      <div className="flex justify-between gap-4 text-meta text-text-3 max-md:flex-wrap">
        <span>{cells[0]?.label}</span>
        {shown ? (
          <span aria-hidden className="text-text-2 tabular-nums">
            {shown.label}: {figuresOf(shown)}
          </span>
        ) : null}
        <span>{cells.at(-1)?.label}, so far</span>
      </div>
    </div>
  );
}

function figuresOf({ state, cycles, healthy }: DayCell): string {
  if (cycles === 0) return WORDS[state];
  return `${WORDS[state]}, healthy in ${healthy} of ${cycles} ${cycles === 1 ? 'cycle' : 'cycles'}`;
}
