import { isWholeAnswer, pieceBeyond } from '@/lib/engine/events/unfinished/pieces';
import type { UnfinishedAnswer } from '@/lib/engine/events/unfinished/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { requireId } from '@/lib/platform/ids/require-id';
import { eventStream } from '@/lib/platform/live/event-stream';
import { listEvents } from './list-events';

const BATCH = 500;

/**
 * A server-sent stream of a session's events above `after`, each under its sequence number as id.
 * `session` events tell where the session stands, `end` that nothing more will come. `answer_part`
 * events have no number: they tell a message while it is written, until it comes whole.
 *
 * @throws NotFoundError before the stream begins
 */
export async function followEvents(
  scope: TenantScope,
  sessionId: string,
  options: { after: number; signal: AbortSignal; isStillAllowed: () => Promise<boolean> },
): Promise<Response> {
  const { projectId } = await listEvents(scope, sessionId, { limit: 1 });
  let after = options.after;
  let told = '';
  let shown: UnfinishedAnswer | null = null;
  let hasEnded = false;
  return eventStream({
    topics: [`s:${requireId('ses', sessionId)}`, `p:${projectId}`],
    signal: options.signal,
    isStillAllowed: options.isStillAllowed,
    onHint: async (send) => {
      for (;;) {
        const page = await listEvents(scope, sessionId, { after, limit: BATCH });
        for (const event of page.events) {
          send({ id: String(event.seq), data: event });
          after = event.seq;
        }
        if (page.events.some(isWholeAnswer)) shown = null;
        if (page.events.length === BATCH) continue;
        const piece = page.writing && pieceBeyond(shown, page.writing);
        if (piece) send({ event: 'answer_part', data: piece });
        shown = page.writing;
        const { status, statusText, isEnded, lastSeq } = page;
        const standing = JSON.stringify({ status, statusText });
        if (standing !== told) send({ event: 'session', data: { status, statusText } });
        told = standing;
        if (isEnded && after >= lastSeq && !hasEnded) {
          hasEnded = true;
          send({ event: 'end', data: { status, lastSeq } });
        }
        return;
      }
    },
  });
}
