import { emptyBodySchema } from '@/lib/api/bodies';
import { runnerParams } from '@/lib/api/params';
import { route } from '@/lib/api/route';
import { runnerDtoSchema } from '@/lib/fleet/fleet/schema';
import { rotateKey } from '@/lib/fleet/service/rotate-key';

export const POST = route({
  method: 'POST',
  path: '/api/v1/runners/{runnerId}/rotate',
  summary: 'Ask a runner to exchange its key; the old one is good until the new one is confirmed',
  auth: 'apiKey',
  scopes: ['runners:write'],
  params: runnerParams,
  body: emptyBodySchema,
  response: runnerDtoSchema,
  status: 200,
  handle: ({ scope, params }) => rotateKey(scope, params.runnerId),
});
