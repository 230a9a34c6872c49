import { AREA } from './drawings/frame';
import type { PlotColumn } from './plot-view';

/** Under the picture: which columns are gaps, and which one is not over yet. */
export function PlotGround({ columns }: { columns: readonly PlotColumn[] }) {
  return (
    <div
      aria-hidden
      className="absolute flex"
      style={{ left: AREA.left, right: AREA.right, top: AREA.top, bottom: AREA.bottom }}
    >
      {columns.map((column) => (
        <div key={column.href} className="relative h-full min-w-0 flex-1">
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
