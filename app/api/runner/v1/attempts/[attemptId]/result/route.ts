import { z } from 'zod';
import { route } from '@/lib/api/route';
import { takeResult } from '@/lib/engine/take-result';
import { MAX_BODY_BYTES, resultRequestSchema, resultResponseSchema } from '@/lib/protocol/schema';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/attempts/{attemptId}/result',
  summary: 'Report how an attempt ended',
  auth: 'runner',
  status: 200,
  maxBodyBytes: MAX_BODY_BYTES,
  params: z.object({ attemptId: z.uuid() }),
  body: resultRequestSchema,
  response: resultResponseSchema,
  handle: ({ scope, params, body }) => takeResult(scope, params.attemptId, body),
});
