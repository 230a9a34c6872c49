import { z } from 'zod';
import { route } from '@/lib/api/route';
import { readSessionNews } from '@/lib/insight/sessions/events';

const count = z.coerce.number().int().min(0);

/** What a page that shows a session's log lacks. It asks after each hint of `/api/live`. */
export const GET = route({
  method: 'GET',
  path: '/api/live/sessions/{sessionId}',
  summary: 'Read the session events a page is missing, and the session’s state',
  auth: 'session',
  params: z.object({ sessionId: z.string() }),
  query: z.object({
    organization: z.string(),
    after: count,
    /** What the page shows of an unfinished answer. */
    message: z.string().max(200).optional(),
    length: count.default(0),
    checksum: count.default(0),
  }),
  handle: async ({ scope, params, query }) => {
    const { after, message, length, checksum } = query;
    const shown = message === undefined ? null : { messageId: message, length, checksum };
    const { writing: _, ...news } = await readSessionNews(scope, params.sessionId, {
      after,
      shown,
    });
    return Response.json(news, { headers: { 'cache-control': 'no-store' } });
  },
});
