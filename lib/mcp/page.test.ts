import { describe, expect, it } from 'vitest';
import { MAX_ROWS_CHARS } from './fit';
import { readPage } from './page';

/** A list of numbers from 1, whose cursor is the last number. */
function listOf(total: number, asked: number[]) {
  return async ({ limit, cursor }: { limit: number; cursor?: string | undefined }) => {
    asked.push(limit);
    const first = Number(cursor ?? 0) + 1;
    const data = Array.from({ length: Math.min(limit, total - first + 1) }, (_, at) => first + at);
    const last = data.at(-1) ?? 0;
    return { data, nextCursor: last < total ? String(last) : null };
  };
}

describe('[INC-4.3] a page of a list', () => {
  it('of small rows has as many as asked for', async () => {
    const asked: number[] = [];
    const page = await readPage({ limit: 20 }, listOf(30, asked), (row) => ({ row }));
    expect(page.rows).toHaveLength(20);
    expect(page.next_cursor).toBe('20');
    expect(asked).toEqual([20]);
  });

  it('of large rows has fewer, and none is left out by its cursor', async () => {
    const show = (row: number) => ({ row, text: 'x'.repeat(row % 3 === 0 ? 15_000 : 9_000) });
    const seen: number[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await readPage({ limit: 20, cursor }, listOf(30, []), show);
      expect(JSON.stringify(page.rows).length).toBeLessThanOrEqual(MAX_ROWS_CHARS + 100);
      seen.push(...page.rows.map(({ row }) => row));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
  });

  it('of a row that is larger than a page has that row', async () => {
    const page = await readPage({ limit: 5 }, listOf(5, []), () => 'x'.repeat(50_000));
    expect(page.rows).toHaveLength(1);
  });
});
