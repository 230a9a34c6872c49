'use client';

import { ChevronDown, Download } from 'lucide-react';
import Link from 'next/link';
import { useId } from 'react';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { SegmentedChoice } from '../ui/segmented';
import { PlotChoice } from './plot-choice';
import { PlotColumns } from './plot-columns';
import { PlotGround } from './plot-ground';
import { PlotLegend } from './plot-legend';
import { PlotTableView } from './plot-table';
import type { PlotView } from './plot-view';
import { useAddressList } from './use-address-list';
import { usePicture } from './use-picture';

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
  const [tables, setTable] = useAddressList('table');
  const [unfolded, setUnfolded] = useAddressList('chart');
  const picture = usePicture();
  const isTable = tables.includes(view.kind) || picture.kind === 'failed';
  const isOpen = !isFolded || unfolded.includes(view.kind);
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
              {view.choice ? <PlotChoice choice={view.choice} /> : null}
              <SegmentedChoice
                label={`${view.title} as`}
                name={`${scope}-as`}
                choices={AS}
                value={isTable ? 'table' : 'chart'}
                onChange={(as) => setTable(view.kind, as === 'table')}
              />
              <Button asChild look="quiet" size="icon-sm">
                <a href={view.csvHref} download aria-label={`${view.title} as CSV`} title="CSV">
                  <Download aria-hidden />
                </a>
              </Button>
            </div>
          ) : null}
          {isFolded ? (
            <Button
              look="quiet"
              size="icon-sm"
              className="md:hidden"
              aria-label={`Show ${view.title}`}
              aria-expanded={isOpen}
              onClick={() => setUnfolded(view.kind, !isOpen)}
            >
              <ChevronDown aria-hidden className={cn(isOpen && 'rotate-180')} />
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
            <PlotGround columns={view.columns} />
            <div aria-hidden className="absolute inset-0">
              {picture.kind === 'ready' ? <picture.Picture scope={scope} view={view} /> : null}
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
        {view.notes && view.notes.items.length > 0 ? <Notes notes={view.notes} /> : null}
      </div>
    </section>
  );
}

const AS = [
  { value: 'chart', label: 'Chart' },
  { value: 'table', label: 'Table' },
] as const;

function Notes({ notes }: { notes: NonNullable<PlotView['notes']> }) {
  return (
    <div className="border-line border-t pt-2 text-ui">
      <p className="text-meta text-text-3">{notes.title}</p>
      <ul>
        {notes.items.map((item) => (
          <li
            key={item.href + item.label}
            className="flex min-h-6 items-baseline justify-between gap-4"
          >
            <Link href={item.href} prefetch={false} className="link min-w-0 break-words">
              {item.label}
            </Link>
            <span className="whitespace-nowrap text-text-2 tabular-nums">{item.detail}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
