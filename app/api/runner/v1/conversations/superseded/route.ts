import { route } from '@/lib/api/route';
import { findSuperseded } from '@/lib/engine/superseded';
import { supersededRequestSchema, supersededResponseSchema } from '@/lib/protocol/schema';

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
