import { route } from '@/lib/api/route';
import { recordCheckPlanResults } from '@/lib/monitoring/runner-checks';
import { checkResultsRequestSchema, checkResultsResponseSchema } from '@/lib/protocol/monitoring';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/check-results',
  summary: 'Report what checks without an agent found',
  auth: 'runner',
  status: 200,
  body: checkResultsRequestSchema,
  response: checkResultsResponseSchema,
  handle: ({ scope, body }) => recordCheckPlanResults(scope, body),
});
