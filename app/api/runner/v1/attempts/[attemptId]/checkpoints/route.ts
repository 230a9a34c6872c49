import { z } from 'zod';
import { route } from '@/lib/api/route';
import { recallCheckpoints } from '@/lib/engine/checkpoints/keep-checkpoints';
import { recallQuerySchema, recallResponseSchema } from '@/lib/protocol/schema';

export const GET = route({
  method: 'GET',
  path: '/api/runner/v1/attempts/{attemptId}/checkpoints',
  summary: 'Read the checkpoints of sessions up to this attempt',
  auth: 'runner',
  params: z.object({ attemptId: z.uuid() }),
  query: recallQuerySchema,
  response: recallResponseSchema,
  handle: ({ scope, params, query }) => recallCheckpoints(scope, params.attemptId, query.limit),
});
