import { z } from 'zod';
import { authenticate } from '@/lib/api/authenticate';
import { sessionParams } from '@/lib/api/bodies';
import { type RouteHandler, route } from '@/lib/api/route';
import { readAuthSession } from '@/lib/identity/auth/auth-sessions';
import type { SignedInUser } from '@/lib/identity/auth/schema';
import { scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import { followEvents, LOG_STATES, listEvents } from '@/lib/insight/sessions/events';
import { sessionEventSchema } from '@/lib/insight/sessions/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { decodeCursor, encodeCursor, pageSchema } from '@/lib/platform/http/cursor';

const sequence = z.coerce.number().int().min(0);

const shared = {
  method: 'GET',
  path: '/api/v1/sessions/{sessionId}/events',
  summary:
    'List the events of a session by sequence number; with Accept: text/event-stream, follow them live, resume with Last-Event-ID and receive an answer while it is written (answer_part events)',
  auth: 'apiKey',
  scopes: ['sessions:read'],
  params: sessionParams,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(1_000).default(200),
    cursor: z.string().max(500).optional(),
    /** Sequence numbers: events above, or the last ones below. */
    after: sequence.optional(),
    before: sequence.optional(),
  }),
} as const;

const stream = route({
  ...shared,
  handle: ({ request, scope, user, params, query }) => {
    const lastId = sequence.safeParse(request.headers.get('last-event-id') ?? undefined);
    return followEvents(scope, params.sessionId, {
      after: lastId.data ?? query.after ?? 0,
      signal: request.signal,
      isStillAllowed: () => hasSameAccess(request, scope, user),
    });
  },
});

// Declared last, since the registry keeps one description a path: the one with an answer to describe.
const page = route({
  ...shared,
  response: pageSchema(sessionEventSchema).extend({
    logState: z.enum(LOG_STATES).meta({
      description: '`deleted_by_retention` once none of the session’s events are stored.',
    }),
  }),
  handle: async ({ scope, params, query }) => {
    const after = decodeCursor(query.cursor, z.number().int()) ?? query.after;
    const { before, limit } = query;
    const range = { after, before, limit };
    const { events, lastSeq, logState } = await listEvents(scope, params.sessionId, range);
    const last = events.at(-1)?.seq;
    const hasMore = before === undefined && last !== undefined && last < lastSeq;
    return { data: events, nextCursor: hasMore ? encodeCursor(last) : null, logState };
  },
});

export const GET: RouteHandler = Object.assign(
  (...[request, segments]: Parameters<RouteHandler>) =>
    request.headers.get('accept')?.includes('text/event-stream')
      ? stream(request, segments)
      : page(request, segments),
  { description: page.description },
);

/**
 * Throws once the token is revoked, or the person is signed out, no longer a member, or without the
 * second factor that the organization requires.
 */
async function hasSameAccess(
  request: Request,
  { organizationSlug, role }: TenantScope,
  user: SignedInUser | null,
): Promise<boolean> {
  if (!user) return (await authenticate('apiKey', request, {})).scope?.role === role;
  const current = await readAuthSession(user.authSessionId);
  return current !== null && (await scopeOfMember(current, organizationSlug)).role === role;
}
