import { describe, expect, it } from 'vitest';
import { type AttemptSource, type Ticket, withOffers } from './claim-loop';

/** Waits for a ticket that the test hands over, or for the signal. */
function handFed() {
  let give: (ticket: Ticket | null) => void = () => {};
  const source: AttemptSource = {
    next: (signal) =>
      new Promise((resolve) => {
        give = resolve;
        signal.addEventListener('abort', () => resolve(null), { once: true });
      }),
    close: async () => {},
  };
  return { source, ring: (attemptId: string) => give({ attemptId, done: async () => {} }) };
}

const { signal } = new AbortController();

describe('a source with offers', () => {
  it('gives what was offered before it waits, in order', async () => {
    const offered = withOffers(handFed().source);
    offered.offer('a');
    offered.offer('b');
    expect((await offered.next(signal))?.attemptId).toBe('a');
    expect((await offered.next(signal))?.attemptId).toBe('b');
  });

  it('gives an offer that comes while it waits for a job', async () => {
    const offered = withOffers(handFed().source);
    const next = offered.next(signal);
    offered.offer('a');
    expect((await next)?.attemptId).toBe('a');
  });

  it('loses neither a job nor an offer of the same moment', async () => {
    const { source, ring } = handFed();
    const offered = withOffers(source);
    const next = offered.next(signal);
    ring('rung');
    offered.offer('offered');
    expect((await next)?.attemptId).toBe('rung');
    expect((await offered.next(signal))?.attemptId).toBe('offered');
  });

  it('gives nothing more once the runner takes nothing', async () => {
    const ending = new AbortController();
    const offered = withOffers(handFed().source);
    const next = offered.next(ending.signal);
    ending.abort();
    expect(await next).toBeNull();
  });
});
