import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from '@/app/_components/ui/link';
import { cn } from './cn';

export interface Column<Row> {
  header: string;
  /** Where two columns have the same header. */
  key?: string;
  cell: (row: Row) => ReactNode;
  /** Numbers, costs and durations stand at the end. */
  align?: 'start' | 'end';
  /**
   * Where the cell goes when the row is a card (below 768 px). The first line is status, title
   * and aside; meta cells follow with their header as a label.
   */
  phone?: 'status' | 'title' | 'aside' | 'meta' | 'hidden';
  /** The address that sorts by this column, and how it is sorted now. */
  sort?: { href: string; direction: 'ascending' | 'descending' | null };
  /** Hides the header's words (they stay its name): for marks and row menus. */
  isHeaderHidden?: boolean;
  className?: string;
}

interface DataTableProps<Row> {
  /** The accessible name. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Makes the whole row a target by the link in its title cell. */
  rowHref?: (row: Row) => string | null;
  /** Marks a row that is a group or is selected. */
  rowClassName?: (row: Row) => string | undefined;
  /** Sums over all matches, below the rows. */
  footer?: ReactNode;
  isFlush?: boolean;
}

// As cards the parts get other display values, which would take these roles away from them.
const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const;

const PHONE = {
  status: 'max-md:order-0',
  title: 'max-md:order-1 max-md:min-w-0 max-md:flex-1',
  aside: 'max-md:order-2',
  meta: 'data-meta max-md:order-4',
  hidden: 'max-md:hidden',
};

/** A real table; below 768 px the same rows as cards, with the table's semantics kept. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  return (
    <div
      className={cn(
        'data-table bg-surface',
        props.isFlush
          ? // The first column begins where the card's title does.
            'md:[&_:is(td,th):first-child]:pl-4 md:[&_:is(td,th):last-child]:pr-4'
          : 'overflow-hidden rounded-card border border-line',
      )}
    >
      <table {...ROLES.table} aria-label={props.label} className="w-full text-ui">
        <thead {...ROLES.group} className="max-md:sr-only">
          <tr {...ROLES.row}>
            {props.columns.map((column) => (
              <HeaderCell key={column.key ?? column.header} column={column} />
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.group}>
          {props.rows.map((row) => (
            <tr
              key={props.rowKey(row)}
              {...ROLES.row}
              className={cn(
                'relative border-line border-t hover:bg-hover has-[[data-row-link]:focus-visible]:bg-hover max-md:first:border-t-0',
                props.rowClassName?.(row),
              )}
            >
              {props.columns.map((column) => (
                <BodyCell
                  key={column.key ?? column.header}
                  column={column}
                  row={row}
                  href={props.rowHref?.(row)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {props.footer ? (
        <div
          className={cn(
            'flex min-h-row flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-t px-3 py-1.5 text-meta text-text-2 tabular-nums max-md:px-4',
            props.isFlush && 'px-4',
          )}
        >
          {props.footer}
        </div>
      ) : null}
    </div>
  );
}

function HeaderCell<Row>({ column }: { column: Column<Row> }) {
  const direction = column.sort?.direction ?? null;
  return (
    <th
      {...ROLES.header}
      scope="col"
      aria-sort={column.sort ? (direction ?? 'none') : undefined}
      className={cn(
        'h-8 whitespace-nowrap px-3 text-left text-meta text-text-3',
        column.align === 'end' && 'text-right',
        column.className,
      )}
    >
      {column.sort ? (
        <Link
          href={column.sort.href}
          className={cn(
            'inline-flex min-h-6 items-center gap-1 hover:text-text',
            direction && 'text-text',
          )}
        >
          {column.header}
          {direction === 'ascending' ? <ArrowUp aria-hidden className="size-3" /> : null}
          {direction === 'descending' ? <ArrowDown aria-hidden className="size-3" /> : null}
        </Link>
      ) : (
        <span className={cn(column.isHeaderHidden && 'sr-only')}>{column.header}</span>
      )}
    </th>
  );
}

interface BodyCellProps<Row> {
  column: Column<Row>;
  row: Row;
  href: string | null | undefined;
}

function BodyCell<Row>({ column, row, href }: BodyCellProps<Row>) {
  const phone = column.phone ?? 'meta';
  const content = column.cell(row);
  return (
    <td
      {...ROLES.cell}
      data-label={phone === 'meta' ? column.header : undefined}
      className={cn(
        'align-middle md:h-row md:px-3 md:py-1',
        column.align === 'end' && 'text-right tabular-nums',
        PHONE[phone],
        column.className,
      )}
    >
      {phone === 'title' && href ? (
        <Link
          href={href}
          data-row-link=""
          className="font-medium after:absolute after:inset-0 after:content-['']"
        >
          {content}
        </Link>
      ) : (
        content
      )}
    </td>
  );
}
