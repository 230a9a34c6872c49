import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type ChainDetail, chainDetailSchema } from '@/lib/insight/chains/schema';
import { type SessionEventDto, sessionEventSchema } from '@/lib/insight/sessions/schema';
import type { ApiClient } from './client';

const POLL_MS = 500;
const RECONNECT_MS = 1_000;

export interface ChainListener {
  onSession(session: ChainDetail['sessions'][number]): void;
  onEvent(event: SessionEventDto, session: ChainDetail['sessions'][number]): void;
}

/** Prints every session of a chain with its events as they arrive, until the chain has ended. */
export async function followChain(
  api: ApiClient,
  chainId: string,
  listener: ChainListener,
): Promise<ChainDetail> {
  const followed = new Set<string>();
  for (;;) {
    const chain = await api.request('GET', `chains/${chainId}`, chainDetailSchema);
    const next = chain.sessions.find((session) => !followed.has(session.id));
    if (next) {
      followed.add(next.id);
      listener.onSession(next);
      await followSession(api, next.id, (event) => listener.onEvent(event, next));
    } else if (chain.status === 'ended') {
      return chain;
    } else {
      await delay(POLL_MS);
    }
  }
}

/** Events of a session in order, each once, through cut connections, until its `end`. */
export async function followSession(
  api: ApiClient,
  sessionId: string,
  onEvent: (event: SessionEventDto) => void,
): Promise<void> {
  let lastSeq = 0;
  for (;;) {
    const how = await api.follow(`sessions/${sessionId}/events`, String(lastSeq), (message) => {
      if (message.event === 'message') {
        const event = sessionEventSchema.parse(message.data);
        lastSeq = event.seq;
        onEvent(event);
      }
      return message.event !== 'end';
    });
    if (how === 'stopped') return;
    await delay(RECONNECT_MS);
  }
}

const pageSchema = z.object({
  data: z.array(sessionEventSchema),
  nextCursor: z.string().nullable(),
});

/** Returns the events stored so far. */
export async function readEvents(
  api: ApiClient,
  sessionId: string,
  onEvent: (event: SessionEventDto) => void,
): Promise<void> {
  let cursor: string | null = null;
  do {
    const query: string = `limit=1000${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
    const page: z.infer<typeof pageSchema> = await api.request(
      'GET',
      `sessions/${sessionId}/events?${query}`,
      pageSchema,
    );
    page.data.forEach(onEvent);
    cursor = page.nextCursor;
  } while (cursor);
}
