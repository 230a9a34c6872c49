'use client';

import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { cn } from '../../ui/cn';
import type { LogRow } from '../log-rows';
import { minimapTicks, type Weight } from './minimap-ticks';

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
  const [active, setActive] = useState(0);
  const list = useRef<HTMLElement>(null);
  const current = Math.min(active, ticks.length - 1);

  function onKeyDown(event: KeyboardEvent) {
    const target = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      Home: 0,
      End: ticks.length - 1,
    }[event.key];
    if (target === undefined || !ticks[target]) return;
    event.preventDefault();
    event.stopPropagation();
    setActive(target);
    list.current?.querySelectorAll('button')[target]?.focus();
  }

  if (ticks.length < 2) return null;
  return (
    <nav
      ref={list}
      onKeyDown={onKeyDown}
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
