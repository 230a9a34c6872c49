import { sessionParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getSession } from '@/lib/insight/sessions/get-session';
import { sessionDetailSchema } from '@/lib/insight/sessions/schema';

export const GET = route({
  method: 'GET',
  path: '/api/v1/sessions/{sessionId}',
  summary: 'Get a session: attempts, ledger, decisions, report and handoff',
  auth: 'apiKey',
  scopes: ['sessions:read'],
  params: sessionParams,
  response: sessionDetailSchema,
  handle: ({ scope, params }) => getSession(scope, params.sessionId),
});
