import { runnerParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getRunner, setRunner } from '@/lib/fleet/manage-runners';
import { runnerDtoSchema, setRunnerSchema } from '@/lib/fleet/schema';

const shared = {
  path: '/api/v1/runners/{runnerId}',
  auth: 'apiKey',
  params: runnerParams,
  response: runnerDtoSchema,
} as const;

export const GET = route({
  ...shared,
  method: 'GET',
  summary: 'Get a runner',
  scopes: ['runners:read'],
  handle: ({ scope, params }) => getRunner(scope, params.runnerId),
});

export const PATCH = route({
  ...shared,
  method: 'PATCH',
  summary: 'Set a runner’s tiers and maximum concurrent attempts',
  scopes: ['runners:write'],
  body: setRunnerSchema,
  handle: ({ scope, params, body }) => setRunner(scope, params.runnerId, body),
});
