import { beforeEach, describe, expect, it } from 'vitest';
import { createLines, type Lines } from './door';

let queues: Map<string, string[]>;
let listeners: Map<string, Set<() => void>>;
let errors: unknown[];
let lines: Lines;
/** Holds a taking until it is let go. */
let gate: Promise<void> | null;
let looks: number;

beforeEach(() => {
  queues = new Map();
  listeners = new Map();
  errors = [];
  gate = null;
  looks = 0;
  lines = createLines({
    async take(queue) {
      looks += 1;
      if (gate) await gate;
      return queues.get(queue)?.shift() ?? null;
    },
    async putBack(queue, attemptId) {
      ring(queue, attemptId);
    },
    listen(queue, heard) {
      const all = listeners.get(queue) ?? new Set();
      listeners.set(queue, all.add(heard));
      return () => {
        all.delete(heard);
        if (all.size === 0) listeners.delete(queue);
      };
    },
    onError: (error) => errors.push(error),
  });
});

function ring(queue: string, attemptId: string): void {
  queues.set(queue, [...(queues.get(queue) ?? []), attemptId]);
  for (const listener of listeners.get(queue) ?? []) listener();
}

const never = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the lines at the door', () => {
  it('answers at once what is there already, from whichever queue', async () => {
    ring('own', 'a1');
    expect(await lines.next(['pool', 'own'], never)).toBe('a1');
    expect(listeners.size).toBe(0);
  });

  it('answers at the ring, and each attempt to one of those who wait, the longest first', async () => {
    const answers = ['r1', 'r2', 'r3'].map(() => lines.next(['pool'], never));
    await settled();
    ring('pool', 'a1');
    ring('pool', 'a2');
    expect(await Promise.all(answers.slice(0, 2))).toEqual(['a1', 'a2']);
    ring('pool', 'a3');
    expect(await answers[2]).toBe('a3');
  });

  it('[SAS-3.1] a runner that has gone loses nothing: the next one gets it', async () => {
    let letGo = () => {};
    gate = new Promise((resolve) => {
      letGo = resolve;
    });
    const gone = new AbortController();
    queues.set('pool', ['a1']);
    const lost = lines.next(['pool'], gone.signal);
    const next = lines.next(['pool'], never);
    await settled();
    gone.abort();
    letGo();
    expect(await lost).toBeNull();
    expect(await next).toBe('a1');
  });

  it('what was taken for the last one who left is enqueued again', async () => {
    let letGo = () => {};
    gate = new Promise((resolve) => {
      letGo = resolve;
    });
    const gone = new AbortController();
    queues.set('pool', ['a1']);
    const lost = lines.next(['pool'], gone.signal);
    await settled();
    gone.abort();
    gate = null;
    letGo();
    expect(await lost).toBeNull();
    await settled();
    expect(queues.get('pool')).toEqual(['a1']);
    expect(await lines.next(['pool'], never)).toBe('a1');
  });

  it('a ring during a look is looked for again; many who wait look once', async () => {
    const answers = Array.from({ length: 50 }, () => lines.next(['pool'], never));
    await settled();
    const before = looks;
    ring('pool', 'a1');
    expect(await answers[0]).toBe('a1');
    await settled();
    expect(looks - before).toBeLessThan(4);
  });

  it('a queue that does not answer is reported, and asked again at the next wake-up', async () => {
    gate = Promise.reject(new Error('the queue is away'));
    const waiting = lines.next(['pool'], never);
    await settled();
    expect(errors).toHaveLength(1);
    gate = null;
    ring('pool', 'a1');
    expect(await waiting).toBe('a1');
  });
});
