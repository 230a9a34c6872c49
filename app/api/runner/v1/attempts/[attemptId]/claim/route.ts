import { z } from 'zod';
import { route } from '@/lib/api/route';
import { claimAttempt } from '@/lib/engine/claim';
import { claimRequestSchema } from '@/lib/protocol/schema';
import { attemptSpecSchema } from '@/lib/protocol/spec';

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
