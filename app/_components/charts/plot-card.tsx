'use client';

import { ChevronDown, Download } from 'lucide-react';
import { type ComponentType, useEffect, useId, useState } from 'react';
import { Link, TextLink } from '@/app/_components/ui/link';
import { useAddressParams } from '../lists/address-params';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { SegmentedChoice } from '../ui/segmented';
import { areaOf, type PlotArea } from './picture-frame';
import { PlotColumns } from './plot-columns';
import type { LegendItem, PlotColumn, PlotNotes, PlotView } from './plot-view';
import { Swatch } from './swatch';
import { type Size, useSize } from './use-size';

interface PlotCardProps {
  view: PlotView;
  /** On phones it is folded until it is asked for. */
  isFolded?: boolean;
  /** Of its heading, by the outline of the page. */
  level?: 2 | 3;
}

/** One plot: its sentence, the picture or the table of the same figures, and the ways to the rows. */
export function PlotCard({ view, isFolded = false, level = 2 }: PlotCardProps) {
  const Heading = `h${level}` as const;
  const scope = useId();
  const tables = useAddressList('table');
  const unfolded = useAddressList('chart');
  const picture = usePicture();
  const [frame, size] = useSize();
  const isTable = tables.words.includes(view.kind) || picture.kind === 'failed';
  const isOpen = !isFolded || unfolded.words.includes(view.kind);
  return (
    <section
      aria-labelledby={`${scope}-title`}
      className="flex min-w-0 flex-col gap-2 rounded-card border border-line bg-surface px-4 pt-2 pb-3"
    >
      <header className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1">
        <Heading id={`${scope}-title`} className="text-card">
          {view.title}
        </Heading>
        <div className="ml-auto flex items-center gap-1.5">
          {view.emptyText === null ? (
            <div className={cn('flex items-center gap-1.5', !isOpen && 'max-md:hidden')}>
              <SegmentedChoice
                label={`${view.title} as`}
                name={`${scope}-as`}
                choices={AS}
                value={isTable ? 'table' : 'chart'}
                onChange={(as) => tables.set(view.kind, as === 'table')}
              />
              <Button asChild look="quiet" size="icon-sm">
                <a href={view.csvHref} download aria-label={`${view.title} as CSV`} title="CSV">
                  <Download aria-hidden />
                </a>
              </Button>
            </div>
          ) : null}
          {isFolded ? (
            <Button asChild look="quiet" size="icon-sm" className="md:hidden">
              {/* A link, so that a press before the page is hydrated isn't lost. */}
              <a
                href={unfolded.addressWith(view.kind, !isOpen)}
                aria-label={`Show ${view.title}`}
                aria-expanded={isOpen}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                  event.preventDefault();
                  unfolded.set(view.kind, !isOpen);
                }}
              >
                <ChevronDown aria-hidden className={cn(isOpen && 'rotate-180')} />
              </a>
            </Button>
          ) : null}
        </div>
      </header>
      <p className="text-text-2 text-ui">
        {view.emptyText === null ? (
          <>
            {view.caption} <span className="whitespace-nowrap text-text-3">{view.bucketWords}</span>
          </>
        ) : (
          <span className="text-text-3">{view.bucketWords}</span>
        )}
      </p>
      <div className={cn('flex flex-col gap-2', !isOpen && 'max-md:hidden')}>
        {view.emptyText !== null ? (
          <p className="flex h-55 items-center border-line border-t text-text-2 max-md:h-24">
            {view.emptyText}
          </p>
        ) : isTable ? (
          <PlotTableView view={view} />
        ) : (
          <div className="relative -mx-1 h-55 max-md:h-45" data-plot={view.kind}>
            <PlotGround columns={view.columns} area={areaOf(view.drawing)} />
            <div ref={frame} aria-hidden className="absolute inset-0">
              {picture.kind === 'ready' && size ? (
                <picture.Picture scope={scope} view={view} size={size} />
              ) : null}
            </div>
            <PlotColumns view={view} />
          </div>
        )}
        {picture.kind === 'failed' ? (
          <p className="text-meta text-text-3">
            The picture couldn’t be loaded, so the figures stand as a table.
          </p>
        ) : null}
        {view.emptyText === null ? <PlotLegend items={view.legend} /> : null}
        {view.notes.map((notes) =>
          notes.items.length > 0 ? <Notes key={notes.title} notes={notes} /> : null,
        )}
      </div>
    </section>
  );
}

const AS = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const;

function Notes({ notes }: { notes: PlotNotes }) {
  return (
    <div className="border-line border-t pt-2 text-ui">
      <p className="text-meta text-text-3">{notes.title}</p>
      <ul>
        {notes.items.map((item) => (
          <li key={item.label} className="flex min-h-6 items-baseline justify-between gap-4">
            {item.href ? (
              <Link href={item.href} prefetch={false} className="link min-w-0 break-words">
                {item.label}
              </Link>
            ) : (
              <span className="min-w-0 break-words">{item.label}</span>
            )}
            <span className="whitespace-nowrap text-text-2 tabular-nums">{item.detail}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Under the picture: which columns are gaps, and which one is not over yet. */
function PlotGround({ columns, area }: { columns: readonly PlotColumn[]; area: PlotArea }) {
  return (
    <div
      aria-hidden
      className="absolute flex"
      style={{ left: area.left, right: area.right, top: area.top, bottom: area.bottom }}
    >
      {columns.map((column) => (
        <div key={column.from} className="relative h-full min-w-0 flex-1">
          {column.isEmpty && !column.isCurrent ? (
            <span className="absolute inset-x-[15%] bottom-1 border-control border-b-2 border-dotted" />
          ) : null}
          {column.isCurrent ? (
            <span className="absolute inset-0" style={{ backgroundImage: HATCH }}>
              <span className="absolute right-0 bottom-full whitespace-nowrap text-meta text-text-3 leading-3">
                so far
              </span>
            </span>
          ) : null}
        </div>
      ))}
    </div>
  );
}

const HATCH = 'repeating-linear-gradient(-45deg, var(--line) 0 1px, transparent 1px 5px)';

/** In the order of the picture. A series that is a filter of a list leads to it. */
function PlotLegend({ items }: { items: readonly LegendItem[] }) {
  // One series needs no key.
  if (items.length < 2) return null;
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-0.5 text-meta text-text-2">
      {items.map((item) => (
        <li key={item.label}>
          {item.href ? (
            <Link
              href={item.href}
              prefetch={false}
              className="inline-flex min-h-6 items-center gap-1.5 rounded-badge hover:text-text hover:underline"
            >
              <Swatch fill={item.fill} shape={item.shape} /> {item.label}
            </Link>
          ) : (
            <span className="inline-flex min-h-6 items-center gap-1.5">
              <Swatch fill={item.fill} shape={item.shape} /> {item.label}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A list of words in the address (`?table=cost,hops`) that only the browser needs. */
function useAddressList(name: string) {
  const { params, hrefWith, change } = useAddressParams();
  const words: readonly string[] = (params[name] ?? '').split(',').filter(Boolean);
  function listWith(word: string, isIn: boolean): Record<string, string | null> {
    const rest = words.filter((each) => each !== word);
    return { [name]: (isIn ? [...rest, word] : rest).join(',') || null };
  }
  return {
    words,
    addressWith: (word: string, isIn: boolean) => hrefWith(listWith(word, isIn)),
    set: (word: string, isIn: boolean) => change(listWith(word, isIn)),
  };
}

type Picture = ComponentType<{ scope: string; view: PlotView; size: Size }>;
type PictureState = { kind: 'waiting' } | { kind: 'failed' } | { kind: 'ready'; Picture: Picture };

/** Safari has no requestIdleCallback. */
const FALLBACK_MS = 200;

/** Loads what draws, once the browser is idle; the second plot of a page finds it there. */
function usePicture(): PictureState {
  const [state, setState] = useState<PictureState>({ kind: 'waiting' });
  useEffect(() => {
    let isGone = false;
    const load = () =>
      import('./picture').then(
        (found) => isGone || setState({ kind: 'ready', Picture: found.default }),
        () => isGone || setState({ kind: 'failed' }),
      );
    const hasIdle = 'requestIdleCallback' in window;
    const handle = hasIdle
      ? window.requestIdleCallback(() => void load())
      : setTimeout(() => void load(), FALLBACK_MS);
    return () => {
      isGone = true;
      if (hasIdle) window.cancelIdleCallback(Number(handle));
      else clearTimeout(handle);
    };
  }, []);
  return state;
}

/** The same figures to read, newest first; each row leads where its column leads. */
function PlotTableView({ view }: { view: PlotView }) {
  const { title, table, columns } = view;
  return (
    <section aria-label={`${title}, table`} className="h-55 overflow-auto border-line border-y">
      <table className="w-full text-ui" aria-label={title}>
        <thead>
          <tr>
            <th scope="col" className={cn(HEAD, 'text-left')}>
              When
            </th>
            {table.columns.map((column) => (
              <th
                key={column.header}
                scope="col"
                className={cn(HEAD, column.isNumber ? 'text-right' : 'text-left')}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.toReversed().map((row) => {
            const column = row.bucket === null ? undefined : columns[row.bucket];
            return (
              <tr
                key={`${row.bucket} ${row.header}`}
                className="border-line border-t hover:bg-hover"
              >
                <th scope="row" className="h-7 whitespace-nowrap px-2 text-left font-normal">
                  {column ? (
                    <TextLink href={column.href} prefetch={false}>
                      {row.header}
                    </TextLink>
                  ) : (
                    row.header
                  )}
                  {column?.isCurrent ? <span className="text-text-3"> so far</span> : null}
                </th>
                {row.cells.map((cell, index) => (
                  <td
                    key={table.columns[index]?.header}
                    className={cn(
                      'whitespace-nowrap px-2 tabular-nums',
                      table.columns[index]?.isNumber && 'text-right',
                      cell.value === null && 'text-text-3',
                    )}
                  >
                    {cell.text}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

const HEAD = 'sticky top-0 z-10 h-8 whitespace-nowrap bg-surface px-2 text-meta text-text-3';
