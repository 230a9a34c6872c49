import { emptyBodySchema, runnerParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { drainRunner, getRunner, resumeRunner } from '@/lib/fleet/manage-runners';
import { runnerDtoSchema } from '@/lib/fleet/schema';

const shared = {
  path: '/api/v1/runners/{runnerId}/drain',
  auth: 'apiKey',
  scopes: ['runners:write'],
  params: runnerParams,
  response: runnerDtoSchema,
  status: 200,
} as const;

export const POST = route({
  ...shared,
  method: 'POST',
  summary: 'Drain a runner: it finishes its attempts and claims no new ones',
  body: emptyBodySchema,
  handle: ({ scope, params }) => drainRunner(scope, params.runnerId),
  answerAgain: ({ scope, params }) => getRunner(scope, params.runnerId),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Resume a drained runner',
  handle: ({ scope, params }) => resumeRunner(scope, params.runnerId),
});
