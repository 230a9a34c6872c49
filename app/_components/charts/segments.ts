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
}

interface Piece extends Pick<PlotSegment, 'column' | 'bottom' | 'height'> {
  series: Traced;
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
  return rows.flatMap((row, column) => {
    let filled = 0;
    return series.flatMap((each): Piece[] => {
      const value = row[each.key] ?? 0;
      if (value <= 0) return [];
      const bottom = filled / top;
      filled += value;
      return [{ column, series: each, bottom, height: value / top }];
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
      return [{ column, series: each, bottom, height: 0 }];
    }),
  );
}
