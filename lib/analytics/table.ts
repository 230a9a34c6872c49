/** The accessible form of a plot, and what its CSV holds. */
export interface PlotTable {
  columns: { header: string; isNumber: boolean }[];
  rows: PlotTableRow[];
}

export interface PlotTableRow {
  /** The column of the plot; null for a row beside them (an open outage, a reason). */
  bucket: number | null;
  header: string;
  cells: PlotTableCell[];
}

export interface PlotTableCell {
  /** For reading: `12%`, `$2.50`, `no cycles`. */
  text: string;
  /** For machines: plain numbers in the unit that the column's header names; null where unknown. */
  value: number | string | null;
}

export function countCell(count: number): PlotTableCell {
  return { text: count.toLocaleString('en'), value: count };
}

export function missingCell(text: string): PlotTableCell {
  return { text, value: null };
}
