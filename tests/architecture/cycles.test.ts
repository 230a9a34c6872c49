import { describe, expect, it } from 'vitest';
import { findCycles } from './cycles';

const edge = (from: string, to: string) => ({ from, to });

describe('findCycles', () => {
  it.each([
    [[edge('a', 'b'), edge('b', 'c'), edge('a', 'c')], []],
    [[edge('a', 'b'), edge('b', 'a')], ['a -> b -> a']],
    [[edge('x', 'a'), edge('a', 'b'), edge('b', 'c'), edge('c', 'a')], ['a -> b -> c -> a']],
  ])('in %j', (edges, cycles) => {
    expect(findCycles(edges)).toEqual(cycles);
  });
});
