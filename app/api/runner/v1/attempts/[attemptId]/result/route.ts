import { z } from 'zod';
import { recordResult } from '@/lib/attempts/service/record-result';
import { route } from '@/lib/http/route';
import {
  attemptResultSchema,
  MAX_BODY_BYTES,
  resultResponseSchema,
} from '@/lib/runner-protocol/schema';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/attempts/{attemptId}/result',
  summary: 'Report how an attempt ended',
  auth: 'runner',
  status: 200,
  maxBodyBytes: MAX_BODY_BYTES,
  params: z.object({ attemptId: z.uuid() }),
  body: attemptResultSchema,
  response: resultResponseSchema,
  handle: ({ scope, params, body }) => recordResult(scope, params.attemptId, body),
});
