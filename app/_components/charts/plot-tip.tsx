import type { PlotTableRow } from '@/lib/insight/analytics/frame';
import type { PlotView } from './plot-view';
import { Swatch } from './swatch';

interface PlotTipProps {
  view: PlotView;
  index: number;
  row: PlotTableRow | undefined;
}

/** The figures of one column, beside it. Hidden from screen readers: the column's name says them. */
export function PlotTip({ view, index, row }: PlotTipProps) {
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
