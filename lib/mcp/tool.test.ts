import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { MAX_RESULT_CHARS, sizeOf } from './fit';
import { linksOf } from './links';
import { nextCursorSchema } from './page';
import { defineTool, READS, type ToolCall } from './tool';
import { UNTRUSTED_NOTE, untrusted, untrustedSchema } from './untrusted';

const call: ToolCall = {
  scope: scopeOfSystem('01a218c5-9c84-7329-bcf1-d4ded112bffd'),
  place: { organizationSlug: 'acme', hosts: [] },
  links: linksOf('https://tierwatch.test', 'acme'),
  signal: new AbortController().signal,
};

const row = z.object({ name: z.string(), error: untrustedSchema.optional() });
type Row = { name: string; error: z.infer<typeof untrustedSchema> | null };

/** A tool that returns these rows. */
function toolOf(rows: readonly Row[]) {
  return defineTool({
    name: 'list_rows',
    title: 'List rows',
    description: 'Use it in a test.',
    scopes: ['projects:read'],
    annotations: READS,
    input: z.strictObject({ text: z.string().max(5).default('') }),
    output: z.object({
      text: z.string(),
      rows: z.array(row),
      gone: z.string().optional(),
      next_cursor: nextCursorSchema,
    }),
    run: async (_, { text }) => ({ text, rows: [...rows], gone: null, next_cursor: null }),
  });
}

describe('[INC-4.3] a tool', () => {
  it('leaves nulls out of its result, but for the end of a list', async () => {
    const result = await toolOf([{ name: 'web', error: null }]).run(call, undefined);
    expect(result).toEqual({ text: '', rows: [{ name: 'web' }], next_cursor: null });
  });

  it('returns no field that its schema doesn’t have', async () => {
    const internal = { name: 'web', error: null, secret: 'x' };
    expect(await toolOf([internal]).run(call, {})).toMatchObject({ rows: [{ name: 'web' }] });
    expect(JSON.stringify(await toolOf([internal]).run(call, {}))).not.toContain('secret');
  });

  it('says how to treat text from outside, before the text', async () => {
    const result = await toolOf([{ name: 'web', error: untrusted('check', 'refused') }]).run(
      call,
      {},
    );
    expect(Object.entries(result)[0]).toEqual(['note', UNTRUSTED_NOTE]);
  });

  it('cuts a result that is too large, and says so', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => {
      return { name: `web-${at}`, error: untrusted('check', 'x'.repeat(3_000), 3_000) };
    });
    const result = await toolOf(rows).run(call, {});
    expect(sizeOf(result)).toBeLessThanOrEqual(MAX_RESULT_CHARS);
    expect(result).toMatchObject({ cut: expect.stringContaining('shortened') });
    expect(result.rows).toHaveLength(40);
  });

  it.each<[unknown, string]>([
    [{ text: 'too long' }, 'text: '],
    [{ txet: 'x' }, '"txet"'],
    [{ text: 5 }, 'text: '],
    ['text', 'expected object'],
    [[], 'expected object'],
  ])('refuses %j', async (args, message) => {
    await expect(toolOf([]).run(call, args)).rejects.toThrow(message);
  });

  it('keeps what PostgreSQL can’t hold out of the services', async () => {
    const result = await toolOf([]).run(call, { text: 'a\u0000\ud800' });
    expect(result.text).toBe('a\ufffd\ufffd');
  });
});
