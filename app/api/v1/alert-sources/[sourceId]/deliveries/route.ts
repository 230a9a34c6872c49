import { alertDeliveryDtoSchema } from '@/lib/alerts/delivery-schema';
import { listDeliveries } from '@/lib/alerts/list-deliveries';
import { alertSourceParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';

export const GET = route({
  method: 'GET',
  path: '/api/v1/alert-sources/{sourceId}/deliveries',
  summary: 'List what a source has sent, newest first, with what was rejected and why',
  auth: 'apiKey',
  scopes: ['alert-sources:read'],
  params: alertSourceParams,
  query: pageQuerySchema,
  response: pageSchema(alertDeliveryDtoSchema),
  handle: ({ scope, params, query }) => listDeliveries(scope, params.sourceId, query),
});
