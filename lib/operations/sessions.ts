import { z } from 'zod';
import { authenticate } from '@/lib/api/authenticate';
import {
  checkpointRequestSchema,
  discardSchema,
  discardSession,
  requestCheckpoint as request,
} from '@/lib/engine/checkpoints/manage-checkpoints';
import { sessionKindSchema, sessionStatusSchema } from '@/lib/engine/statuses';
import { readAuthSession } from '@/lib/identity/auth/auth-sessions';
import type { SignedInUser } from '@/lib/identity/auth/schema';
import { scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import {
  checkpointDtoSchema,
  checkpointQuerySchema,
  listSessionCheckpoints,
  listCheckpoints as readCheckpoints,
} from '@/lib/insight/checkpoints';
import { followEvents, LOG_STATES, listEvents as readEvents } from '@/lib/insight/sessions/events';
import { getSession } from '@/lib/insight/sessions/get-session';
import { listSessions } from '@/lib/insight/sessions/list-sessions';
import {
  listedSessionSchema,
  sessionDetailSchema,
  sessionEventSchema,
} from '@/lib/insight/sessions/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import {
  decodeCursor,
  encodeCursor,
  pageQuerySchema,
  pageSchema,
} from '@/lib/platform/http/cursor';
import { emptyBodySchema } from './bodies';
import { operation } from './operation';

const sequence = z.coerce.number().int().min(0);

export const getCheckpoints = operation({
  method: 'GET',
  path: '/api/v1/checkpoints/{sessionId}',
  summary: 'List every checkpoint of a session, newest first, on one page',
  act: 'organization.read',
  scopes: ['checkpoints:read'],
  response: pageSchema(checkpointDtoSchema),
  run: async ({ scope, params }) => ({
    data: await listSessionCheckpoints(scope, params.sessionId),
    nextCursor: null,
  }),
});

export const listCheckpoints = operation({
  method: 'GET',
  path: '/api/v1/checkpoints',
  summary: 'List recent checkpoints of one project or of all projects, newest first',
  act: 'organization.read',
  scopes: ['checkpoints:read'],
  query: checkpointQuerySchema,
  queryRefusal: 400,
  response: pageSchema(checkpointDtoSchema),
  run: ({ scope, query }) => readCheckpoints(scope, query),
});

export const requestCheckpoint = operation({
  method: 'POST',
  path: '/api/v1/sessions/{sessionId}/checkpoint',
  summary: 'Ask a running session for a checkpoint; its runner writes it within seconds',
  act: 'session.checkpoint',
  scopes: ['sessions:write'],
  status: 202,
  body: emptyBodySchema,
  response: checkpointRequestSchema,
  refusals: {
    409: 'The session isn’t running, or it writes no checkpoints; `detail` says why.',
  },
  run: ({ scope, params }) => request(scope, params.sessionId),
});

export const discard = operation({
  method: 'POST',
  path: '/api/v1/sessions/{sessionId}/discard',
  summary: 'Exclude a session from recovery; its checkpoints stay readable',
  act: 'session.discard',
  scopes: ['sessions:write'],
  status: 200,
  body: emptyBodySchema,
  response: discardSchema,
  run: ({ scope, params }) => discardSession(scope, params.sessionId),
  answerAgain: ({ scope, params }) => discardSession(scope, params.sessionId),
});

export const get = operation({
  method: 'GET',
  path: '/api/v1/sessions/{sessionId}',
  summary: 'Get a session: attempts, ledger, decisions, report and handoff',
  act: 'organization.read',
  scopes: ['sessions:read'],
  response: sessionDetailSchema,
  run: ({ scope, params }) => getSession(scope, params.sessionId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/sessions',
  summary: 'List sessions, newest first',
  act: 'organization.read',
  scopes: ['sessions:read'],
  query: pageQuerySchema.extend({
    /** Id or slug. */
    project: z.string().optional(),
    chain: z.string().optional(),
    tier: z.coerce.number().int().min(1).max(3).optional(),
    status: sessionStatusSchema.optional(),
    /** `tier`: of chains. `ask`: of turns of conversations. */
    kind: sessionKindSchema.default('tier'),
  }),
  response: pageSchema(listedSessionSchema),
  run: ({ scope, query }) => listSessions(scope, query),
});

export const listEvents = operation({
  method: 'GET',
  path: '/api/v1/sessions/{sessionId}/events',
  summary:
    'List the events of a session by sequence number; with Accept: text/event-stream, follow them live, resume with Last-Event-ID and receive an answer while it is written (answer_part events)',
  act: 'organization.read',
  scopes: ['sessions:read'],
  query: z.object({
    limit: z.coerce.number().int().min(1).max(1_000).default(200),
    cursor: z.string().max(500).optional(),
    /** Sequence numbers: events above, or the last ones below. */
    after: sequence.optional(),
    before: sequence.optional(),
  }),
  response: pageSchema(sessionEventSchema).extend({
    logState: z.enum(LOG_STATES).meta({
      description: '`deleted_by_retention` once none of the session’s events are stored.',
    }),
  }),
  handle: async ({ request, scope, user, params, query }) => {
    if (request.headers.get('accept')?.includes('text/event-stream')) {
      const lastId = sequence.safeParse(request.headers.get('last-event-id') ?? undefined);
      return followEvents(scope, params.sessionId, {
        after: lastId.data ?? query.after ?? 0,
        signal: request.signal,
        isStillAllowed: () => hasSameAccess(request, scope, user),
      });
    }
    const after = decodeCursor(query.cursor, z.number().int()) ?? query.after;
    const { before, limit } = query;
    const range = { after, before, limit };
    const { events, lastSeq, logState } = await readEvents(scope, params.sessionId, range);
    const last = events.at(-1)?.seq;
    const hasMore = before === undefined && last !== undefined && last < lastSeq;
    return { data: events, nextCursor: hasMore ? encodeCursor(last) : null, logState };
  },
});

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
