'use client';

import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { Link } from '@/app/_components/ui/link';
import type { PlotTableRow } from '@/lib/insight/analytics/frame';
import { cn } from '../ui/cn';
import { areaOf } from './picture-frame';
import type { PlotColumn, PlotView } from './plot-view';
import { type PlotSegment, segmentsOf } from './segments';
import { Swatch } from './swatch';
import { useBrush } from './use-brush';
import { useShowSpan } from './use-show-span';

/**
 * Lies over the picture, a link a column: one stop of Tab, arrows left and right move between the
 * columns, up and down to the pieces of a column, Enter opens the rows. Dragging, or arrows with
 * Shift and then Enter, makes several columns the span of the page.
 */
export function PlotColumns({ view }: { view: PlotView }) {
  const { columns, table, title } = view;
  const segments = useMemo(() => segmentsOf(view), [view]);
  const [focused, setFocused] = useState(columns.length - 1);
  const [active, setActive] = useState<number | null>(null);
  const ground = useRef<HTMLDivElement>(null);
  const current = Math.min(focused, columns.length - 1);
  const area = areaOf(view.drawing);
  const showSpan = useShowSpan();
  const brush = useBrush(columns.length, (first, last) => {
    const [from, to] = [columns[first]?.from, columns[last]?.to];
    if (from && to) showSpan(from, to);
  });
  const { selected } = brush;

  /** The column itself first, then its pieces from the bottom upwards. */
  function stopsOf(column: number): HTMLElement[] {
    return [...(ground.current?.querySelectorAll<HTMLElement>(`[data-column="${column}"]`) ?? [])];
  }

  function moveWithin(event: KeyboardEvent, step: 1 | -1) {
    const stops = stopsOf(current);
    const at = stops.findIndex((stop) => stop.matches(':focus'));
    const target = stops[at + step];
    if (at === -1 || !target) return;
    event.preventDefault();
    target.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape') return setActive(null);
    if (event.key === 'Enter' && selected) {
      event.preventDefault();
      return brush.choose();
    }
    if (event.key === 'ArrowUp') return moveWithin(event, 1);
    if (event.key === 'ArrowDown') return moveWithin(event, -1);
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
    stopsOf(target)[0]?.focus();
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

  /** Of everything that belongs to a column. */
  const pointing = (index: number) => ({
    'data-column': index,
    onPointerEnter: (event: PointerEvent) => event.pointerType === 'mouse' && setActive(index),
    onPointerDown: (event: PointerEvent) => onTouch(event, index),
    onFocus: () => {
      setFocused(index);
      setActive(index);
    },
    onBlur: () => setActive(null),
  });

  return (
    <div
      ref={ground}
      className="absolute"
      style={{ left: area.left, right: area.right, top: area.top, bottom: area.bottom }}
    >
      <figure
        onKeyDown={onKeyDown}
        onPointerLeave={() => setActive(null)}
        {...brush.handlers}
        className="relative h-full touch-pan-y select-none"
      >
        <ul aria-label={`${title}, ${columns.length} columns`} className="flex h-full">
          {columns.map((column, index) => {
            const shared = {
              ...pointing(index),
              tabIndex: index === current ? 0 : -1,
              'aria-label': nameOf(view, index),
              className: cn(
                'absolute inset-0 rounded-badge -outline-offset-2',
                active === index && 'bg-text/5',
              ),
            };
            return (
              <li key={column.from} className="relative h-full min-w-0 flex-1">
                <Link href={column.href} prefetch={false} draggable={false} {...shared} />
              </li>
            );
          })}
        </ul>
        <ul aria-label={`Parts of ${title}`}>
          {segments.map((segment) => (
            <li key={`${segment.column} ${segment.name}`}>
              <Link
                href={segment.href}
                prefetch={false}
                draggable={false}
                tabIndex={-1}
                aria-label={`${columns[segment.column]?.long}: ${segment.name}`}
                {...pointing(segment.column)}
                className="absolute rounded-badge -outline-offset-2 hover:bg-text/5"
                style={placeOf(segment, columns.length)}
              />
            </li>
          ))}
        </ul>
      </figure>
      {selected ? <SelectedSpan columns={columns} {...selected} /> : null}
      <p role="status" className="sr-only">
        {selected
          ? `${columns[selected.first]?.long} to ${columns[selected.last]?.long}. Enter shows this range, Escape cancels.`
          : ''}
      </p>
      {active === null || !columns[active] || selected ? null : (
        <PlotTip view={view} index={active} row={table.rows.find((row) => row.bucket === active)} />
      )}
    </div>
  );
}

const POINT_PX = 20;

/** Where a piece lies over the picture; the target of a point is wider than the point. */
function placeOf({ column, bottom, height }: PlotSegment, columns: number) {
  const share = (value: number) => `${value * 100}%`;
  const width = share(1 / columns);
  if (height > 0) {
    return { left: share(column / columns), width, bottom: share(bottom), height: share(height) };
  }
  return {
    left: `calc(${share((column + 0.5) / columns)} - ${POINT_PX / 2}px)`,
    width: POINT_PX,
    maxWidth: width,
    bottom: `calc(${share(bottom)} - ${POINT_PX / 2}px)`,
    height: POINT_PX,
  };
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

interface PlotTipProps {
  view: PlotView;
  index: number;
  row: PlotTableRow | undefined;
}

/** The figures of one column, beside it. Hidden from screen readers: the column's name says them. */
function PlotTip({ view, index, row }: PlotTipProps) {
  const { columns, table, legend } = view;
  const column = columns[index];
  if (!column || !row) return null;
  const isLeft = index >= columns.length / 2;
  const edge = ((isLeft ? columns.length - index : index + 1) / columns.length) * 100;
  const lines = row.cells.flatMap((cell, at) => {
    const header = table.columns[at]?.header ?? '';
    // With many columns those that are zero say nothing.
    return row.cells.length > 4 && cell.value === 0 ? [] : [{ header, text: cell.text }];
  });
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-0 z-20 mx-1.5 flex max-w-64 flex-col gap-1 rounded-control border border-line bg-surface px-2.5 py-2 text-ui shadow-menu"
      style={isLeft ? { right: `${edge}%` } : { left: `${edge}%` }}
    >
      <p className="whitespace-nowrap font-medium">
        {column.long}
        {column.isCurrent ? <span className="font-normal text-text-3"> so far</span> : null}
      </p>
      {column.isEmpty ? (
        <p className="text-text-2">{row.cells[0]?.text}</p>
      ) : (
        <dl className="grid grid-cols-[auto_auto] gap-x-4 gap-y-0.5 tabular-nums">
          {lines.map((line) => {
            const mark = legend.find((item) => item.label === line.header);
            return (
              <div key={line.header} className="col-span-2 grid grid-cols-subgrid items-center">
                <dt className="flex items-center gap-1.5 whitespace-nowrap text-text-2">
                  {mark ? <Swatch fill={mark.fill} shape={mark.shape} /> : null}
                  {line.header}
                </dt>
                <dd className="whitespace-nowrap text-right">{line.text}</dd>
              </div>
            );
          })}
        </dl>
      )}
    </div>
  );
}
