import type { PlotTable, PlotTableColumn } from './table';

type Row = (string | number | null)[];

/** A plot's table as lines of a CSV; what is unknown is empty. */
export function plotCsvRows(table: PlotTable): Row[] {
  return [
    ['when', ...table.columns.map(headerOf)],
    ...table.rows.map((row): Row => [row.header, ...row.cells.map((cell) => cell.value)]),
  ];
}

/** All plots below each other, each under its name. */
export function allPlotsCsvRows(plots: readonly { title: string; table: PlotTable }[]): Row[] {
  return plots.flatMap(({ title, table }, index): Row[] => [
    ...(index > 0 ? [[]] : []),
    [title],
    ...plotCsvRows(table),
  ]);
}

/** `Tier 1 (USD)`. */
function headerOf({ header, unit }: PlotTableColumn): string {
  return unit ? `${header} (${unit})` : header;
}
