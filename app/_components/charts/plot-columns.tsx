'use client';

import Link from 'next/link';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { cn } from '../ui/cn';
import { AREA } from './drawings/frame';
import { PlotTip } from './plot-tip';
import type { PlotColumn, PlotView } from './plot-view';
import { useBrush } from './use-brush';
import { useShowSpan } from './use-show-span';

/**
 * Lies over the picture, a link a column: one stop of Tab, arrows move, Enter opens the rows.
 * Dragging, or arrows with Shift and then Enter, makes several columns the span of the page.
 */
export function PlotColumns({ view }: { view: PlotView }) {
  const { columns, table, title } = view;
  const [focused, setFocused] = useState(columns.length - 1);
  const [active, setActive] = useState<number | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const current = Math.min(focused, columns.length - 1);
  const showSpan = useShowSpan();
  const brush = useBrush(columns.length, (first, last) => {
    const [from, to] = [columns[first]?.from, columns[last]?.to];
    if (from && to) showSpan(from, to);
  });
  const { selected } = brush;

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') return setActive(null);
    if (event.key === 'Enter' && selected) {
      event.preventDefault();
      return brush.choose();
    }
    const target = {
      ArrowLeft: current - 1,
      ArrowRight: current + 1,
      Home: 0,
      End: columns.length - 1,
    }[event.key];
    if (target === undefined || !columns[target]) return;
    event.preventDefault();
    if (event.shiftKey) brush.extend(current, target);
    else brush.clear();
    setFocused(target);
    list.current?.querySelectorAll('a')[target]?.focus();
  }

  /** A finger has no hover: the first touch shows the figures, the second one opens the rows. */
  function onTouch(event: PointerEvent, index: number) {
    if (event.pointerType === 'mouse') return;
    if (active === index) return;
    event.currentTarget.addEventListener('click', (click) => click.preventDefault(), {
      once: true,
    });
    setActive(index);
  }

  return (
    <div
      className="absolute"
      style={{ left: AREA.left, right: AREA.right, top: AREA.top, bottom: AREA.bottom }}
    >
      <ul
        ref={list}
        aria-label={`${title}, ${columns.length} columns`}
        onKeyDown={onKeyDown}
        onPointerLeave={() => setActive(null)}
        {...brush.handlers}
        className="flex h-full touch-pan-y select-none"
      >
        {columns.map((column, index) => (
          <li key={column.href} className="relative h-full min-w-0 flex-1">
            <Link
              href={column.href}
              prefetch={false}
              draggable={false}
              tabIndex={index === current ? 0 : -1}
              aria-label={nameOf(view, index)}
              onPointerEnter={(event) => event.pointerType === 'mouse' && setActive(index)}
              onPointerDown={(event) => onTouch(event, index)}
              onFocus={() => {
                setFocused(index);
                setActive(index);
              }}
              onBlur={() => setActive(null)}
              className={cn(
                'absolute inset-0 rounded-badge -outline-offset-2',
                active === index && 'bg-text/5',
              )}
            />
          </li>
        ))}
      </ul>
      {selected ? <SelectedSpan columns={columns} {...selected} /> : null}
      <p role="status" className="sr-only">
        {selected
          ? `${columns[selected.first]?.long} to ${columns[selected.last]?.long}. Enter shows this span, Escape lets it go.`
          : ''}
      </p>
      {active === null || !columns[active] || selected ? null : (
        <PlotTip view={view} index={active} row={table.rows.find((row) => row.bucket === active)} />
      )}
    </div>
  );
}

interface SelectedSpanProps {
  columns: readonly PlotColumn[];
  first: number;
  last: number;
}

function SelectedSpan({ columns, first, last }: SelectedSpanProps) {
  const share = (count: number) => `${(count / columns.length) * 100}%`;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute inset-y-0 border-focus border-x-2 bg-focus/10"
      style={{ left: share(first), width: share(last - first + 1) }}
    />
  );
}

/** "Sat 21 Nov, so far: Healthy 12, Fixed 1". */
function nameOf({ columns, table }: PlotView, index: number): string {
  const column = columns[index];
  const row = table.rows.find((each) => each.bucket === index);
  const soFar = column?.isCurrent ? ', so far' : '';
  const figures = column?.isEmpty
    ? (row?.cells[0]?.text ?? 'nothing')
    : row?.cells.map((cell, at) => `${table.columns[at]?.header} ${cell.text}`).join(', ');
  return `${column?.long}${soFar}: ${figures}`;
}
