import { route } from '@/lib/api/route';
import { getCheckPlan } from '@/lib/monitoring/runner-checks';
import { checkPlanSchema } from '@/lib/protocol/monitoring';

export const dynamic = 'force-dynamic';

export const GET = route({
  method: 'GET',
  path: '/api/runner/v1/checks',
  summary: 'Get the checks that this runner runs without an agent',
  auth: 'runner',
  response: checkPlanSchema,
  handle: ({ scope }) => getCheckPlan(scope),
});
