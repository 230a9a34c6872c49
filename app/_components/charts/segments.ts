import type { Drawing, PlotView, Traced } from './plot-view';

/** A piece of a bar or a point of a line: what leads to its own rows. */
export interface PlotSegment {
  column: number;
  /** `Healthy 4`. */
  name: string;
  href: string;
  /** Shares of the plot's area; of a point, `height` is 0. */
  bottom: number;
  height: number;
  /** Shares of its column. */
  left: number;
  width: number;
}

interface Piece {
  column: number;
  series: Traced;
  bottom: number;
  height: number;
  left: number;
  width: number;
}

/** Returns what can be opened on its own in a plot, column by column, from the bottom upwards. */
export function segmentsOf({ drawing, columns, table }: PlotView): PlotSegment[] {
  const headers = table.columns.map((column) => column.header);
  const rows = new Map(table.rows.map((row) => [row.bucket, row]));
  return (drawing.form === 'bars' ? barPieces(drawing) : linePieces(drawing))
    .flatMap(({ series: { label, list }, ...piece }): PlotSegment[] => {
      const column = columns[piece.column];
      if (!column) return [];
      const text = rows.get(piece.column)?.cells[headers.indexOf(label)]?.text;
      return [
        {
          ...piece,
          name: text === undefined ? label : `${label} ${text}`,
          href: cut(list, column.from, column.to),
        },
      ];
    })
    .toSorted((one, other) => one.column - other.column || one.bottom - other.bottom);
}

function cut(list: string, from: string, to: string): string {
  return `${list}${list.includes('?') ? '&' : '?'}${new URLSearchParams({ from, to })}`;
}

function barPieces({ series, rows, ticks }: Extract<Drawing, { form: 'bars' }>): Piece[] {
  const top = ticks.at(-1)?.value || 1;
  const stacks = [...new Set(series.map((each) => each.stack))];
  return rows.flatMap((row, column) => {
    const filled = new Map<string, number>();
    return series.flatMap((each): Piece[] => {
      const { key, stack } = each;
      const value = row[key] ?? 0;
      if (value <= 0) return [];
      const bottom = filled.get(stack) ?? 0;
      filled.set(stack, bottom + value);
      const width = 1 / stacks.length;
      const left = stacks.indexOf(stack) * width;
      return [{ column, series: each, bottom: bottom / top, height: value / top, left, width }];
    });
  });
}

function linePieces({ series, rows, ticks }: Extract<Drawing, { form: 'lines' }>): Piece[] {
  const [low, high] = [ticks[0]?.value ?? 0, ticks.at(-1)?.value ?? 1];
  return rows.flatMap((row, column) =>
    series.flatMap((each): Piece[] => {
      const value = row[each.key];
      if (value === null || value === undefined) return [];
      const bottom = (value - low) / (high - low);
      return [{ column, series: each, bottom, height: 0, left: 0, width: 1 }];
    }),
  );
}
