import { describe, expect, it } from 'vitest';
import { exportQueue } from './export-queue';

describe('[INC-4.2] the queue of traces', () => {
  it('does one after the other, and then what follows the last', async () => {
    const done: string[] = [];
    let running = 0;
    const queue = exportQueue(
      async (item: string) => {
        running += 1;
        expect(running).toBe(1);
        await Promise.resolve();
        running -= 1;
        done.push(item);
      },
      async () => void done.push('flushed'),
      10,
    );
    for (const item of ['a', 'b', 'c']) expect(queue.add(item)).toBe(true);
    await queue.idle();
    expect(done).toEqual(['a', 'b', 'c', 'flushed']);
  });

  it('continues after a failure', async () => {
    const done: string[] = [];
    const queue = exportQueue(
      async (item: string) => {
        if (item === 'bad') throw new Error('bad');
        done.push(item);
      },
      () => Promise.reject(new Error('away')),
      10,
    );
    queue.add('bad');
    queue.add('good');
    await queue.idle();
    expect(done).toEqual(['good']);
    queue.add('later');
    await queue.idle();
    expect(done).toEqual(['good', 'later']);
  });

  it('drops what is too much, and takes more when there is room', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const done: number[] = [];
    const queue = exportQueue(
      async (item: number) => {
        await gate;
        done.push(item);
      },
      async () => {},
      2,
    );
    // The first is under way at once.
    expect([1, 2, 3, 4].map((item) => queue.add(item))).toEqual([true, true, true, false]);
    open();
    await queue.idle();
    expect(done).toEqual([1, 2, 3]);
    expect(queue.add(5)).toBe(true);
    await queue.idle();
  });
});
