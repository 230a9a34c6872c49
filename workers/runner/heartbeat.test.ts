import { beforeEach, expect, it, vi } from 'vitest';
import { beat } from './heartbeat';
import { createWaker } from './waker';

let ending: AbortController;
beforeEach(() => {
  ending = new AbortController();
});

/** Starts a loop whose requests are answered by `answer`. */
function loop(hasNews: () => Promise<void>, answer: (sent: number) => Promise<void>) {
  let sent = 0;
  const ended = beat({
    controlPlane: {
      async heartbeat() {
        sent += 1;
        await answer(sent);
        return [];
      },
    },
    body: async () => ({}) as never,
    onDirectives() {},
    onKeyRefused() {},
    onKeyInUse() {},
    hasNews,
    signal: ending.signal,
  });
  return {
    sent: () => sent,
    async end() {
      ending.abort();
      await ended;
    },
  };
}

it('[BND-5.3] news that arrives while a heartbeat is sent is in the next one at once', async () => {
  const waker = createWaker();
  const beats = loop(waker.woken, async (sent) => {
    if (sent === 1) waker.wake();
  });
  await vi.waitFor(() => expect(beats.sent()).toBe(2));
  await beats.end();
});

it('[BND-5.3] a heartbeat waits for news once, however many are sent', async () => {
  const waiters: (() => void)[] = [];
  const hasNews = vi.fn(() => new Promise<void>((resolve) => waiters.push(resolve)));
  const beats = loop(hasNews, async () => {
    throw new Error('no answer');
  });
  await vi.waitFor(() => expect(beats.sent()).toBe(2), { timeout: 10_000 });
  expect(hasNews).toHaveBeenCalledTimes(1);
  waiters[0]?.();
  await vi.waitFor(() => expect(beats.sent()).toBe(3));
  expect(hasNews).toHaveBeenCalledTimes(2);
  await beats.end();
}, 20_000);
