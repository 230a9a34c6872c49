import { runnerParams } from '@/lib/api/params';
import { route } from '@/lib/http/route';
import { runnerDtoSchema } from '@/lib/runners/fleet/schema';
import { getRunner } from '@/lib/runners/service/manage-runners';

export const GET = route({
  method: 'GET',
  path: '/api/v1/runners/{runnerId}',
  summary: 'Get a runner',
  auth: 'apiKey',
  scopes: ['runners:read'],
  params: runnerParams,
  response: runnerDtoSchema,
  handle: ({ scope, params }) => getRunner(scope, params.runnerId),
});
