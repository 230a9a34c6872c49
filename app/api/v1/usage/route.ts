import { route } from '@/lib/api/route';
import { getUsage } from '@/lib/insight/spend/get-spend';
import { usageDtoSchema, usageQuerySchema } from '@/lib/insight/spend/schema';

export const GET = route({
  method: 'GET',
  path: '/api/v1/usage',
  summary: 'Sum costs by day (UTC), project, tier, model or session',
  auth: 'apiKey',
  scopes: ['usage:read'],
  query: usageQuerySchema,
  response: usageDtoSchema,
  handle: ({ scope, query }) => getUsage(scope, query),
});
