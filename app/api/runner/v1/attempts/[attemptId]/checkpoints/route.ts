import { z } from 'zod';
import { recallCheckpoints } from '@/lib/checkpoints/service/recall';
import { route } from '@/lib/http/route';
import { recallQuerySchema, recallResponseSchema } from '@/lib/runner-protocol/schema';

export const GET = route({
  method: 'GET',
  path: '/api/runner/v1/attempts/{attemptId}/checkpoints',
  summary: 'Read what sessions up to this attempt have kept',
  auth: 'runner',
  params: z.object({ attemptId: z.uuid() }),
  query: recallQuerySchema,
  response: recallResponseSchema,
  handle: ({ scope, params, query }) => recallCheckpoints(scope, params.attemptId, query.limit),
});
