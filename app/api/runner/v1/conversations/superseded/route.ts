import { route } from '@/lib/api/route';
import { findSuperseded } from '@/lib/engine/superseded';
import { supersededRequestSchema, supersededResponseSchema } from '@/lib/protocol/schema';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/conversations/superseded',
  summary: 'List the kept conversations that can no longer be continued',
  auth: 'runner',
  status: 200,
  body: supersededRequestSchema,
  response: supersededResponseSchema,
  handle: ({ scope, body }) => findSuperseded(scope, body),
});
