import { route } from '@/lib/http/route';
import { confirmKeyRequestSchema } from '@/lib/runner-protocol/schema';
import { confirmKey } from '@/lib/runners/service/rotate-key';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/key/confirm',
  summary: 'Say that the new key is stored: the old one is refused from now on',
  auth: 'runner',
  body: confirmKeyRequestSchema,
  credentials: ['key'],
  handle: ({ scope, body }) => confirmKey(scope, body.key),
});
