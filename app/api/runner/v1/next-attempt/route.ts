import { route } from '@/lib/http/route';
import { nextAttemptResponseSchema } from '@/lib/runner-protocol/schema';
import { waitForAttempt } from '@/lib/runners/service/wait-for-attempt';

export const dynamic = 'force-dynamic';

export const GET = route({
  method: 'GET',
  path: '/api/runner/v1/next-attempt',
  summary: 'Wait for an attempt to claim, without a login to the queue',
  auth: 'runner',
  response: nextAttemptResponseSchema,
  handle: ({ scope, request }) => waitForAttempt(scope, request.signal),
});
