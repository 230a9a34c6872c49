import { z } from 'zod';
import { route } from '@/lib/api/route';
import { runnerDtoSchema, updateRunnersSchema } from '@/lib/fleet/schema';
import { requestUpdates } from '@/lib/fleet/updates';

export const POST = route({
  method: 'POST',
  path: '/api/v1/runners/updates',
  summary: 'Update every runner that can update itself, one of a pool at a time',
  auth: 'apiKey',
  scopes: ['runners:write'],
  body: updateRunnersSchema,
  response: z.object({
    data: z.array(runnerDtoSchema).meta({ description: 'The runners that will be updated.' }),
  }),
  status: 200,
  handle: async ({ scope, body }) => ({ data: await requestUpdates(scope, body) }),
  // Who waits already isn't requested again.
  answerAgain: async ({ scope, body }) => ({ data: await requestUpdates(scope, body) }),
});
