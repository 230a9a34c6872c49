'use client';

import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from '@/app/_components/ui/link';
import { formatCounted } from '@/lib/platform/format/count';
import { cn } from '../ui/cn';
import type { StateOf } from './states';

interface StripCell {
  /** The chain's number: "Chain #12" in the cell's name. */
  chainNumber: number;
  href: string;
  state: StateOf<'service'>;
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

/** One cell a cycle: tone and height say the same. One stop of Tab; arrows move inside. */
export function ServiceStrip({ label, cells, className }: ServiceStripProps) {
  const shown = cells.slice(-MAX_CELLS);
  const [active, setActive] = useState(shown.length - 1);
  const list = useRef<HTMLUListElement>(null);
  const current = Math.min(active, shown.length - 1);

  function onKeyDown(event: KeyboardEvent) {
    const target = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      Home: 0,
      End: shown.length - 1,
    }[event.key];
    if (target === undefined || !shown[target]) return;
    event.preventDefault();
    setActive(target);
    list.current?.querySelectorAll('a')[target]?.focus();
  }

  if (shown.length === 0) return <span className="text-meta text-text-3">Not checked yet</span>;
  return (
    <ul
      ref={list}
      aria-label={`${label}, last ${formatCounted(shown.length, 'chain')}`}
      onKeyDown={onKeyDown}
      className={cn('relative z-10 flex h-6 justify-end', className)}
    >
      {shown.map((cell, index) => (
        <li key={cell.chainNumber} className="h-full max-w-2 flex-1">
          <Link
            href={cell.href}
            prefetch={false}
            tabIndex={index === current ? 0 : -1}
            aria-label={`Chain #${cell.chainNumber}, ${CELLS[cell.state].word}, ${cell.at}`}
            title={`Chain #${cell.chainNumber} · ${CELLS[cell.state].word} · ${cell.at}`}
            className="flex h-full items-end pr-px hover:bg-hover"
          >
            <span data-bar className={cn('w-full rounded-[1px]', CELLS[cell.state].style)} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
