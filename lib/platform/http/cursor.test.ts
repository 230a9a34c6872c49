import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InvalidError } from '../errors';
import { decodeCursor, encodeCursor, pageOf, pageQuerySchema } from './cursor';

const position = z.tuple([z.string(), z.number()]);

describe('a cursor', () => {
  it('leads back to its position', () => {
    const cursor = encodeCursor(['2026-11-21T10:00:00Z', 7]);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(decodeCursor(cursor, position)).toEqual(['2026-11-21T10:00:00Z', 7]);
    expect(decodeCursor(undefined, position)).toBeNull();
  });

  it.each(['x', '!!', encodeCursor({ id: 1 }), encodeCursor(null)])('is not %j', (text) => {
    expect(() => decodeCursor(text, position)).toThrow(InvalidError);
  });
});

describe('pageOf', () => {
  it.each([
    [[1, 2, 3], 2, [1, 2], encodeCursor(2)],
    [[1, 2], 2, [1, 2], null],
    [[], 2, [], null],
  ])('cuts %j at %i', (rows, limit, page, nextCursor) => {
    expect(pageOf(rows, limit, (row) => row)).toEqual({ rows: page, nextCursor });
  });
});

describe('pageQuerySchema', () => {
  it('has a default and a maximum', () => {
    expect(pageQuerySchema.parse({})).toEqual({ limit: 50 });
    expect(pageQuerySchema.safeParse({ limit: '101' }).success).toBe(false);
    expect(pageQuerySchema.safeParse({ limit: '0' }).success).toBe(false);
  });
});
