import { route } from '@/lib/api/route';
import { confirmKey } from '@/lib/fleet/runner-keys';
import { confirmKeyRequestSchema } from '@/lib/protocol/schema';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/key/confirm',
  summary: 'Confirm that the new key is stored; the old key stops working',
  auth: 'runner',
  body: confirmKeyRequestSchema,
  credentials: ['key'],
  handle: ({ scope, body }) => confirmKey(scope, body.key),
});
