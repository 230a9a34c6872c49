/**
 * A source that also returns attempts named in a response of the control plane: a runner that has
 * just delivered a result need not wait for the job of the next attempt. The claim decides as
 * usual.
 */
import type { AttemptSource, Ticket } from './attempt-source';

/** While every slot is taken; the job of one that is dropped still arrives. */
const MAX_OFFERS = 50;

export interface OfferedSource extends AttemptSource {
  offer(attemptId: string): void;
}

export function withOffers(source: AttemptSource): OfferedSource {
  const offers: string[] = [];
  let onOffer: (() => void) | null = null;

  function takeOffer(): Ticket | null {
    const attemptId = offers.shift();
    // Its job isn't claimed yet; the source returns it later, when the attempt is held or gone.
    return attemptId === undefined ? null : { attemptId, done: async () => {} };
  }

  return {
    offer(attemptId) {
      if (offers.length < MAX_OFFERS) offers.push(attemptId);
      onOffer?.();
    },
    async next(signal) {
      const offered = takeOffer();
      if (offered) return offered;
      const leave = new AbortController();
      onOffer = () => leave.abort();
      try {
        const ticket = await source.next(AbortSignal.any([signal, leave.signal]));
        // One that came in the same moment goes first; the offer is there in the next turn.
        return ticket ?? (signal.aborted ? null : takeOffer());
      } finally {
        onOffer = null;
      }
    },
    close: () => source.close(),
  };
}
