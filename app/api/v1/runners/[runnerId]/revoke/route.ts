import { emptyBodySchema } from '@/lib/api/bodies';
import { runnerParams } from '@/lib/api/params';
import { route } from '@/lib/api/route';
import { runnerDtoSchema } from '@/lib/fleet/fleet/schema';
import { revokeRunner } from '@/lib/fleet/service/manage-runners';

export const POST = route({
  method: 'POST',
  path: '/api/v1/runners/{runnerId}/revoke',
  summary: 'Revoke the key of a runner for good',
  auth: 'apiKey',
  scopes: ['runners:write'],
  params: runnerParams,
  body: emptyBodySchema,
  response: runnerDtoSchema,
  status: 200,
  handle: ({ scope, params }) => revokeRunner(scope, params.runnerId),
});
