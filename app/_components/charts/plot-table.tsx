import { Link } from '@/app/_components/ui/link';
import { cn } from '../ui/cn';
import type { PlotView } from './plot-view';

/** The same figures to read, newest first; each row leads where its column leads. */
export function PlotTableView({ view }: { view: PlotView }) {
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
                    <Link href={column.href} prefetch={false} className="link">
                      {row.header}
                    </Link>
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
