import { route } from '@/lib/http/route';
import { newKeyResponseSchema } from '@/lib/runner-protocol/schema';
import { issueKey } from '@/lib/runners/service/rotate-key';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/key',
  summary: 'Hand over the new key that an admin asked for',
  auth: 'runner',
  status: 200,
  response: newKeyResponseSchema,
  handle: ({ scope }) => issueKey(scope),
});
