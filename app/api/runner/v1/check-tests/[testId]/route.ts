import { z } from 'zod';
import { route } from '@/lib/api/route';
import { recordCheckTest } from '@/lib/fleet/check-tests';
import { checkTestOutcomeSchema } from '@/lib/protocol/schema';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/check-tests/{testId}',
  summary: 'Report the result of a check test',
  auth: 'runner',
  params: z.object({ testId: z.uuid() }),
  body: checkTestOutcomeSchema,
  handle: async ({ scope, params, body }) => {
    await recordCheckTest(scope, params.testId, body);
    return undefined;
  },
});
