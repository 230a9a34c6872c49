/** The accessible form of a plot, and what its CSV holds. */
export interface PlotTable {
  columns: PlotTableColumn[];
  rows: PlotTableRow[];
}

export interface PlotTableColumn {
  header: string;
  isNumber: boolean;
  /** Of the plain values, where the header doesn't say it. */
  unit?: 'USD' | 'seconds' | 'share';
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
  /** For machines: plain numbers in the column's unit; null where unknown. */
  value: number | string | null;
}

export function countCell(count: number): PlotTableCell {
  return { text: count.toLocaleString('en'), value: count };
}

export function missingCell(text: string): PlotTableCell {
  return { text, value: null };
}
