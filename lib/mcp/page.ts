/** Lists of tools: 20 rows unless asked for more, fewer where rows are large, and a cursor to continue. */
import { z } from 'zod';
import { rowsThatFit } from './fit';

export const DEFAULT_ROWS = 20;
export const MAX_ROWS = 50;

/** The arguments of every list; extend it with the list's filters. */
export const pageInput = z.strictObject({
  limit: z
    .number()
    .int()
    .min(1, 'Ask for at least 1 row.')
    .max(MAX_ROWS, `Ask for at most ${MAX_ROWS} rows, and continue with the cursor.`)
    .default(DEFAULT_ROWS)
    .meta({ description: `Rows, at most ${MAX_ROWS}. Large rows can make it fewer.` }),
  cursor: z
    .string()
    .max(500)
    .optional()
    .meta({ description: 'next_cursor of the page before, with the same filters.' }),
});

export const nextCursorSchema = z
  .string()
  .nullable()
  .meta({ description: 'Give it as cursor to get the next page; null at the end.' });

interface Page<Row> {
  data: readonly Row[];
  nextCursor: string | null;
}

/**
 * Reads a page, and reads it again with fewer rows if it is too large for one result: its cursor then
 * continues after the last row that is shown.
 */
export async function readPage<Row, Shown>(
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  read: (page: { limit: number; cursor?: string | undefined }) => Promise<Page<Row>>,
  show: (row: Row) => Shown,
): Promise<{ rows: Shown[]; next_cursor: string | null }> {
  for (let size = limit; ; ) {
    const { data, nextCursor } = await read({ limit: size, cursor });
    const rows = data.map(show);
    const fitting = rowsThatFit(rows);
    if (fitting >= rows.length) return { rows, next_cursor: nextCursor };
    size = fitting;
  }
}
