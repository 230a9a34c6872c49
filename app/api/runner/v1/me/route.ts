import { route } from '@/lib/api/route';
import { getMe } from '@/lib/fleet/record-posture';
import { meResponseSchema } from '@/lib/protocol/schema';

export const GET = route({
  method: 'GET',
  path: '/api/runner/v1/me',
  summary: 'Get the runner’s own identity',
  auth: 'runner',
  response: meResponseSchema,
  handle: ({ scope }) => getMe(scope),
});
