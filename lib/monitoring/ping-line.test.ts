import { describe, expect, it } from 'vitest';
import { createPingLine } from './ping-line';

const newest = (_waiting: readonly number[], next: number) => [next];

/** Stores nothing until it is released. */
function heldStore() {
  const writes: { token: string; pings: readonly number[]; release(isKnown?: boolean): void }[] =
    [];
  const store = (token: string, pings: readonly number[]) =>
    new Promise<boolean>((resolve) => {
      writes.push({ token, pings, release: (isKnown = true) => resolve(isKnown) });
    });
  return { writes, store };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('[INC-1.1] pings of one URL', () => {
  it('that arrive during a write are one write, which has the last of them', async () => {
    const { writes, store } = heldStore();
    const ping = createPingLine(store, newest);
    const answers = [ping('a', 0)];
    await settled();
    for (let number = 1; number <= 10_000; number += 1) answers.push(ping('a', number));
    await settled();
    expect(writes.map(({ pings }) => pings)).toEqual([[0]]);
    writes[0]?.release();
    await settled();
    expect(writes.map(({ pings }) => pings)).toEqual([[0], [10_000]]);
    let isAnswered = false;
    void answers.at(-1)?.then(() => {
      isAnswered = true;
    });
    await settled();
    expect(isAnswered).toBe(false);
    writes[1]?.release();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([true]));
  });

  it('don’t wait for those of another', async () => {
    const { writes, store } = heldStore();
    const ping = createPingLine(store, newest);
    void ping('a', 1);
    const other = ping('b', 2);
    await settled();
    writes.find(({ token }) => token === 'b')?.release(false);
    expect(await other).toBe(false);
  });

  it('are stored after a write that failed, and only the failed ones are refused', async () => {
    let writes = 0;
    const ping = createPingLine<number, boolean>(async () => {
      writes += 1;
      if (writes === 1) throw new Error('away');
      return true;
    }, newest);
    const first = ping('a', 1);
    const failed = expect(first).rejects.toThrow('away');
    await settled();
    expect(await ping('a', 2)).toBe(true);
    await failed;
  });
});
