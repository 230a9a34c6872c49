import { route } from '@/lib/http/route';
import { meResponseSchema } from '@/lib/runner-protocol/schema';
import { getMe } from '@/lib/runners/service/get-me';

export const GET = route({
  method: 'GET',
  path: '/api/runner/v1/me',
  summary: 'Tell a runner who it is',
  auth: 'runner',
  response: meResponseSchema,
  handle: ({ scope }) => getMe(scope),
});
