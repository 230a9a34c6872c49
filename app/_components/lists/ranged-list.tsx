import type { ReactNode } from 'react';
import { FrozenWhileUsed } from '@/app/(dashboard)/[orgSlug]/_components/frozen-while-used';
import { tierName } from '../status/tier-mark';
import { NoMatch } from '../ui/empty-state';
import { Pagination } from '../ui/pagination';
import { FilterBar, type ListFilter } from './filter-bar';
import { FilterChips } from './filter-chips';
import {
  hrefWith,
  idParam,
  type Params,
  RANGE_WORDS,
  RANGES,
  type Range,
  rangeParam,
  sinceOf,
  spanParam,
} from './list-params';

interface RangeFilters {
  range: Range;
  /** Stands in place of the range. */
  span: { from: Date; to: Date } | null;
  /** Ids of chains that a page of the list begins or ends at. */
  before: string | undefined;
  after: string | undefined;
  /** Something else than the standard range is asked for. */
  isFiltered: boolean;
}

/** What the address of a list says about time and place in it. */
export function rangeFilters(params: Params, standard: Range): RangeFilters {
  const range = rangeParam(params, standard);
  const span = spanParam(params);
  return {
    range,
    span,
    before: idParam(params, 'before', 'chn'),
    after: idParam(params, 'after', 'chn'),
    isFiltered: span !== null || range !== standard,
  };
}

/** The moments between which a list's rows started. */
export function rangeLimits({ range, span }: RangeFilters) {
  return { since: span?.from ?? sinceOf(range, new Date()), until: span?.to };
}

interface RangedListProps {
  /** Plural: "chains". */
  what: string;
  /** Of the page: "/acme/chains". */
  path: string;
  params: Params;
  ranged: RangeFilters;
  filters: readonly ListFilter[];
  /** A text to look for, under `?q=`. */
  search?: { label: string; value: string };
  /** Stands after the filters, such as a download. */
  action?: ReactNode;
  /** Filters that a link brought along: their words and their names in the address. */
  chips?: readonly { label: string; name: string }[];
  /** Some filter leaves rows out. */
  isFiltered: boolean;
  isEmpty: boolean;
  /** Shown when there are no rows without a filter either. */
  empty: ReactNode;
  page: { newerThan: string | null; olderThan: string | null };
  children: ReactNode;
}

/** A page of rows that started within a range, with its filters, all of them in the address. */
export function RangedList(props: RangedListProps) {
  const { what, path, params, ranged, filters, search, chips = [], page } = props;
  const { range, span, before, after } = ranged;
  const rangeFilter: ListFilter = {
    name: 'range',
    label: 'Started within',
    value: range,
    allLabel: null,
    choices: RANGES.map((value) => ({ value, label: RANGE_WORDS[value] })),
  };
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <FilterBar
          filters={span ? filters : [...filters, rangeFilter]}
          {...(search ? { search } : {})}
        />
        {props.action}
      </div>
      <FilterChips
        span={span}
        spanClearHref={hrefWith(path, params, { from: null, to: null })}
        words={chips.map(({ label, name }) => ({
          label,
          clearHref: hrefWith(path, params, { [name]: null }),
        }))}
      />
      {props.isEmpty ? (
        <div className="rounded-card border border-line bg-surface">
          {props.isFiltered || before || after ? (
            <NoMatch what={what} clearHref={path} />
          ) : (
            props.empty
          )}
        </div>
      ) : (
        <FrozenWhileUsed>{props.children}</FrozenWhileUsed>
      )}
      <Pagination
        newerHref={page.newerThan && hrefWith(path, params, { after: page.newerThan })}
        olderHref={page.olderThan && hrefWith(path, params, { before: page.olderThan })}
      />
    </>
  );
}

/** Chooses one of several projects; nothing where there is no choice. */
export function projectFilter(
  projects: readonly { slug: string; name: string }[],
  chosen: string | undefined,
): ListFilter[] {
  if (projects.length < 2) return [];
  return [
    {
      name: 'project',
      label: 'Project',
      value: chosen,
      allLabel: 'Any project',
      choices: projects.map(({ slug, name }) => ({ value: slug, label: name })),
    },
  ];
}

/** `label` is a column's name, `word` what stands before each tier's. */
export function tierFilter(tier: 1 | 2 | 3 | undefined, label: string, word = ''): ListFilter {
  return {
    name: 'tier',
    label,
    value: tier?.toString(),
    allLabel: 'Any tier',
    choices: ([1, 2, 3] as const).map((value) => ({
      value: String(value),
      label: `${word}${tierName(value)}`,
    })),
  };
}
