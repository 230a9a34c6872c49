import { route } from '@/lib/http/route';
import { directivesQuerySchema, directivesResponseSchema } from '@/lib/runner-protocol/schema';
import { waitForDirectives } from '@/lib/runners/service/wait-for-directives';

export const dynamic = 'force-dynamic';

export const GET = route({
  method: 'GET',
  path: '/api/runner/v1/directives',
  summary: 'Wait for something that the runner has to be told',
  auth: 'runner',
  query: directivesQuerySchema,
  response: directivesResponseSchema,
  handle: ({ scope, query, request }) => waitForDirectives(scope, request.signal, query.seen),
});
