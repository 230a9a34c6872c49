import { emptyBodySchema, runnerParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getRunner } from '@/lib/fleet/manage-runners';
import { runnerDtoSchema } from '@/lib/fleet/schema';
import { cancelUpdate, requestUpdate } from '@/lib/fleet/updates';

const shared = {
  path: '/api/v1/runners/{runnerId}/update',
  auth: 'apiKey',
  scopes: ['runners:write'],
  params: runnerParams,
  response: runnerDtoSchema,
  status: 200,
} as const;

export const POST = route({
  ...shared,
  method: 'POST',
  summary: 'Update a runner to this installation’s version, after its running attempts',
  body: emptyBodySchema,
  handle: ({ scope, params }) => requestUpdate(scope, params.runnerId),
  answerAgain: ({ scope, params }) => getRunner(scope, params.runnerId),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Cancel the update of a runner',
  handle: ({ scope, params }) => cancelUpdate(scope, params.runnerId),
});
