import { z } from 'zod';
import { route } from '@/lib/api/route';
import { sessionKindSchema, sessionStatusSchema } from '@/lib/engine/statuses';
import { listSessions } from '@/lib/insight/sessions/list-sessions';
import { listedSessionSchema } from '@/lib/insight/sessions/schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';

export const GET = route({
  method: 'GET',
  path: '/api/v1/sessions',
  summary: 'List sessions, newest first',
  auth: 'apiKey',
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
  handle: ({ scope, query }) => listSessions(scope, query),
});
