import { z } from 'zod';
import { claimAttempt } from '@/lib/attempts/service/claim-attempt';
import { route } from '@/lib/http/route';
import { claimRequestSchema } from '@/lib/runner-protocol/schema';
import { attemptSpecSchema } from '@/lib/runner-protocol/spec';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/attempts/{attemptId}/claim',
  summary: 'Claim an attempt and learn how to start it',
  auth: 'runner',
  status: 200,
  params: z.object({ attemptId: z.uuid() }),
  body: claimRequestSchema,
  response: attemptSpecSchema,
  handle: ({ scope, params, body }) =>
    claimAttempt(scope, params.attemptId, new Date(), body.processId),
});
