import { route } from '@/lib/api/route';
import { waitForAttempt } from '@/lib/fleet/wait-for-attempt';
import { nextAttemptResponseSchema } from '@/lib/protocol/schema';

export const dynamic = 'force-dynamic';

export const GET = route({
  method: 'GET',
  path: '/api/runner/v1/next-attempt',
  summary: 'Wait for an attempt to claim, without a login to the queue',
  auth: 'runner',
  response: nextAttemptResponseSchema,
  handle: ({ scope, request }) => waitForAttempt(scope, request.signal),
});
