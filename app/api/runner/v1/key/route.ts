import { route } from '@/lib/api/route';
import { issueKey } from '@/lib/fleet/runner-keys';
import { newKeyResponseSchema } from '@/lib/protocol/schema';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/key',
  summary: 'Get the new key that an admin requested',
  auth: 'runner',
  status: 200,
  response: newKeyResponseSchema,
  handle: ({ scope }) => issueKey(scope),
});
