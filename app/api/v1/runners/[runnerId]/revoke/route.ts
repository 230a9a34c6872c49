import { emptyBodySchema, runnerParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getRunner, revokeRunner } from '@/lib/fleet/manage-runners';
import { runnerDtoSchema } from '@/lib/fleet/schema';

export const POST = route({
  method: 'POST',
  path: '/api/v1/runners/{runnerId}/revoke',
  summary: 'Revoke a runner’s key permanently',
  auth: 'apiKey',
  scopes: ['runners:write'],
  params: runnerParams,
  body: emptyBodySchema,
  response: runnerDtoSchema,
  status: 200,
  handle: ({ scope, params }) => revokeRunner(scope, params.runnerId),
  answerAgain: ({ scope, params }) => getRunner(scope, params.runnerId),
});
