import {
  type EventsRequest,
  MAX_BODY_BYTES,
  MAX_EVENTS_PER_BATCH,
  PROTOCOL_VERSION,
} from '@/lib/protocol/schema';
import type { AttemptSpool } from './attempt-spool';

export const MAX_BATCH_BYTES = MAX_BODY_BYTES / 2;
const MAX_ATTEMPTS_PER_BATCH = 200;

/**
 * One request with events of as many attempts as fit. `turn` says with which attempt it begins,
 * so that one talkative attempt does not keep the others waiting. Null when there are none.
 */
export function nextEventsRequest(
  spools: AttemptSpool[],
  options: { turn: number; maxBytes: number },
): EventsRequest | null {
  const batches: EventsRequest['batches'] = [];
  let bytesLeft = options.maxBytes;
  let eventsLeft = MAX_EVENTS_PER_BATCH;
  for (let step = 0; step < spools.length; step += 1) {
    const spool = spools[(options.turn + step) % spools.length];
    if (!spool) continue;
    if (bytesLeft <= 0 || eventsLeft === 0 || batches.length === MAX_ATTEMPTS_PER_BATCH) break;
    const events = spool.pending(bytesLeft, eventsLeft);
    if (events.length === 0) continue;
    const { attemptId, fence } = spool.record;
    batches.push({ attemptId, fence, events });
    bytesLeft -= Buffer.byteLength(JSON.stringify(events));
    eventsLeft -= events.length;
  }
  return batches.length === 0 ? null : { protocol: PROTOCOL_VERSION, batches };
}
