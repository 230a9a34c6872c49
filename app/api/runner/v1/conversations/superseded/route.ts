import { findSuperseded } from '@/lib/attempts/service/find-superseded';
import { route } from '@/lib/http/route';
import { supersededRequestSchema, supersededResponseSchema } from '@/lib/runner-protocol/schema';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/conversations/superseded',
  summary: 'Ask which kept conversations nothing can continue any more',
  auth: 'runner',
  status: 200,
  body: supersededRequestSchema,
  response: supersededResponseSchema,
  handle: ({ scope, body }) => findSuperseded(scope, body),
});
