import { visibleText } from './visible-text';

type CsvCell = string | number | null;

/** Spreadsheets run a cell that begins with one of these as a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;

/**
 * RFC 4180: lines end with CR LF, cells with a comma, a quote or a line break stand in quotes.
 * A text that a spreadsheet would run gets an apostrophe before it; numbers stay numbers. Hidden
 * characters are made visible: people also print such files to a terminal.
 */
export function writeCsv(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = visibleText(cell);
  const safe = FORMULA.test(cell.trimStart()) || FORMULA.test(cell) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
