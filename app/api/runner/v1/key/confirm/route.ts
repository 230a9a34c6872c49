import { route } from '@/lib/api/route';
import { confirmKey } from '@/lib/fleet/runner-keys';
import { confirmKeyRequestSchema } from '@/lib/protocol/schema';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/key/confirm',
  summary: 'Say that the new key is stored: the old one is refused from now on',
  auth: 'runner',
  body: confirmKeyRequestSchema,
  credentials: ['key'],
  handle: ({ scope, body }) => confirmKey(scope, body.key),
});
