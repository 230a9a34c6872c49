import { pauseBodySchema, runnerParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getRunner } from '@/lib/fleet/manage-runners';
import { endRunnerPause, pauseRunner } from '@/lib/fleet/runner-pauses';
import { runnerDtoSchema } from '@/lib/fleet/schema';

const shared = {
  path: '/api/v1/runners/{runnerId}/pause',
  auth: 'apiKey',
  scopes: ['runners:write'],
  params: runnerParams,
  response: runnerDtoSchema,
  status: 200,
} as const;

export const POST = route({
  ...shared,
  method: 'POST',
  summary: 'Pause a runner: it claims no new attempts',
  body: pauseBodySchema,
  handle: ({ scope, params, body }) => pauseRunner(scope, params.runnerId, body),
  answerAgain: ({ scope, params }) => getRunner(scope, params.runnerId),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Resume a paused runner',
  handle: ({ scope, params }) => endRunnerPause(scope, params.runnerId),
});
