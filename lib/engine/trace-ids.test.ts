import { describe, expect, it } from 'vitest';
import { spanIdOf, traceIdOf, traceparentOf } from './trace-ids';

const CHAIN = '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b';

describe('[INC-4.2] ids of traces and spans', () => {
  it('a trace is its chain', () => {
    expect(traceIdOf(CHAIN)).toBe('019a0b1c2d3e7f408a5b6c7d8e9f0a1b');
  });

  it('a span is always the same for its row, and another for any other', () => {
    const ids = [
      spanIdOf('chain', CHAIN),
      spanIdOf('session', CHAIN),
      spanIdOf('tool', CHAIN, 'a'),
      spanIdOf('tool', CHAIN, 'b'),
      spanIdOf('tool', `${CHAIN}a`),
      spanIdOf('command', CHAIN, 1),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(spanIdOf('command', CHAIN, 1)).toBe(ids.at(-1));
  });

  it('what an attempt starts belongs to its span', () => {
    const [version, trace, parent, flags] = traceparentOf(CHAIN, 'a').split('-');
    expect([version, flags]).toEqual(['00', '01']);
    expect([trace, parent]).toEqual([traceIdOf(CHAIN), spanIdOf('attempt', 'a')]);
  });
});
