import { route } from '@/lib/api/route';
import { waitForDirectives } from '@/lib/engine/directives';
import { directivesQuerySchema, directivesResponseSchema } from '@/lib/protocol/schema';

export const dynamic = 'force-dynamic';

export const GET = route({
  method: 'GET',
  path: '/api/runner/v1/directives',
  summary: 'Wait for a directive to this runner',
  auth: 'runner',
  query: directivesQuerySchema,
  response: directivesResponseSchema,
  handle: ({ scope, query, request }) => waitForDirectives(scope, request.signal, query.seen),
});
