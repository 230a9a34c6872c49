import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTool, TOOLS } from './registry';
import { INSTRUCTIONS } from './serve';

/** Approvals, chains and questions start or decide something on real hosts. */
const ACTING = [
  'ask_project',
  'decide_approval',
  'run_chain',
  'stop_chain',
  'acknowledge_incident',
];

describe('[INC-4.3] every tool', () => {
  it('has a name of its own that explains itself', () => {
    const names = TOOLS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(12);
    expect(names.length).toBeLessThanOrEqual(20);
    for (const name of names) {
      expect(name).toMatch(/^(?:get|list|read|search|ask|run|stop|decide|acknowledge)_[a-z_]+$/);
      expect(findTool(name)?.name).toBe(name);
    }
    expect(findTool('constructor')).toBeUndefined();
  });

  it('is in the registry, with the other tools of its file', async () => {
    const folder = path.join(import.meta.dirname, 'tools');
    const files = readdirSync(folder).filter((file) => !file.endsWith('.test.ts'));
    const defined: unknown[] = [];
    for (const file of files) {
      const exported: Record<string, unknown> = await import(path.join(folder, file));
      defined.push(
        ...Object.keys(exported).flatMap((key) => (/Tool$/.test(key) ? exported[key] : [])),
      );
    }
    expect(new Set(TOOLS)).toEqual(new Set(defined));
    expect(TOOLS).toHaveLength(defined.length);
  });

  it.each(TOOLS.map((tool) => [tool.name, tool] as const))('%s describes itself', (_, tool) => {
    expect(Object.keys(tool.annotations).toSorted()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
    expect(tool.description).toMatch(/^Use it /);
    expect(tool.scopes.length).toBeGreaterThan(0);
    expect(tool.annotations.readOnlyHint).toBe(!ACTING.includes(tool.name));
    // A misspelled argument is an error, not one that has no effect.
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(tool.outputSchema).toMatchObject({ type: 'object' });
  });

  it('that acts irrevocably says so', () => {
    for (const name of ['run_chain', 'decide_approval']) {
      expect(findTool(name)?.annotations).toMatchObject({
        destructiveHint: true,
        idempotentHint: false,
      });
    }
  });

  it('every argument has a description', () => {
    const silent = TOOLS.flatMap(({ name, inputSchema }) =>
      Object.entries((inputSchema.properties ?? {}) as Record<string, { description?: string }>)
        .filter(([, schema]) => !schema.description)
        .map(([argument]) => `${name}.${argument}`),
    );
    expect(silent).toEqual([]);
  });

  it('the instructions are short enough to reach the model whole', () => {
    expect(INSTRUCTIONS.length).toBeLessThan(2_000);
    for (const word of INSTRUCTIONS.match(/\b[a-z]+_[a-z]+\b/g) ?? []) {
      if (!['untrusted_text', 'next_cursor'].includes(word)) {
        expect(findTool(word), word).toBeDefined();
      }
    }
  });
});
