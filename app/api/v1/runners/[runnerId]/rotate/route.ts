import { emptyBodySchema, runnerParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getRunner } from '@/lib/fleet/manage-runners';
import { rotateKey } from '@/lib/fleet/runner-keys';
import { runnerDtoSchema } from '@/lib/fleet/schema';

export const POST = route({
  method: 'POST',
  path: '/api/v1/runners/{runnerId}/rotate',
  summary: 'Rotate a runner’s key; the old key works until the new one is confirmed',
  auth: 'apiKey',
  scopes: ['runners:write'],
  params: runnerParams,
  body: emptyBodySchema,
  response: runnerDtoSchema,
  status: 200,
  handle: ({ scope, params }) => rotateKey(scope, params.runnerId),
  answerAgain: ({ scope, params }) => getRunner(scope, params.runnerId),
});
