import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from '@/app/_components/ui/link';
import { Time } from '../status/time';

interface FilterChipsProps {
  /** Two moments that stand in place of a range. */
  span: { from: Date; to: Date } | null;
  /** What happened in the span. */
  verb?: string | undefined;
  spanClearHref: string;
  words: readonly { label: string; clearHref: string }[];
}

/** Filters that a link brought along, such as a plot's column; each can be taken off. */
export function FilterChips({ span, verb = 'Started', spanClearHref, words }: FilterChipsProps) {
  if (!span && words.length === 0) return null;
  return (
    <ul aria-label="Further filters" className="flex flex-wrap gap-2">
      {span ? (
        <Chip clearHref={spanClearHref} name="the span">
          {verb} <Time at={span.from.toISOString()} form="day" isPlain /> to{' '}
          <Time at={span.to.toISOString()} form="day" isPlain />
        </Chip>
      ) : null}
      {words.map(({ label, clearHref }) => (
        <Chip key={label} clearHref={clearHref} name={label}>
          {label}
        </Chip>
      ))}
    </ul>
  );
}

function Chip(props: { clearHref: string; name: string; children: ReactNode }) {
  return (
    <li className="inline-flex min-h-7 items-center gap-1.5 rounded-control border border-control/60 bg-surface pr-1 pl-2.5 text-ui">
      <span>{props.children}</span>
      <Link
        href={props.clearHref}
        aria-label={`Clear ${props.name}`}
        className="inline-flex size-6 items-center justify-center rounded-badge text-text-3 hover:bg-hover hover:text-text"
      >
        <X aria-hidden className="size-3.5" />
      </Link>
    </li>
  );
}
