import { createRedactor } from './redactor';

/** A batch of events adds this much to the depth that an event may have on its runner. */
const MAX_DEPTH = 40;

/**
 * Redacts everything in the body of a runner's request, by the same patterns as on its host: what
 * reaches a service never depends on a runner that does so. A project's own secrets are known on
 * the host alone.
 *
 * Two things are left as they are: the fields named by `credentials`, which are hashed and not
 * stored, and the text of a piece of an answer, since a secret may be spread over several pieces.
 * Those are redacted together, in `lib/engine/events/unfinished`.
 */
export function redactRunnerBody(body: unknown, credentials: readonly string[] = []): unknown {
  const pieces = new Set(eventsIn(body).filter((event) => event.kind === 'answer_part'));
  // One for each body, since it remembers names of fields.
  const redactor = createRedactor({ secrets: [], maxDepth: MAX_DEPTH });
  return redactor.value(body, (owner, name) =>
    owner === body ? credentials.includes(name) : name === 'text' && pieces.has(owner),
  );
}

/** Those in the places of events: whatever looks like one elsewhere is data. */
function eventsIn(body: unknown): (object & { kind?: unknown })[] {
  const batches = listIn(body, 'batches');
  return [body, ...batches]
    .flatMap((holder) => listIn(holder, 'events'))
    .flatMap((numbered) => {
      const event = isObject(numbered) && 'event' in numbered ? numbered.event : null;
      return isObject(event) ? event : [];
    });
}

function listIn(holder: unknown, name: 'batches' | 'events'): unknown[] {
  const list = isObject(holder) ? Object.entries(holder).find(([key]) => key === name)?.[1] : null;
  return Array.isArray(list) ? list : [];
}

function isObject(value: unknown): value is object & { kind?: unknown } {
  return typeof value === 'object' && value !== null;
}
