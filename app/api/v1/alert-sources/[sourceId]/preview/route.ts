import { alertPreviewSchema, previewBodySchema } from '@/lib/alerts/delivery-schema';
import { previewAlerts } from '@/lib/alerts/preview-alerts';
import { alertSourceParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';

export const POST = route({
  method: 'POST',
  path: '/api/v1/alert-sources/{sourceId}/preview',
  summary: 'Show what a body would become; stores nothing',
  auth: 'apiKey',
  scopes: ['alert-sources:write'],
  params: alertSourceParams,
  body: previewBodySchema,
  response: alertPreviewSchema,
  status: 200,
  handle: ({ scope, params, body }) => previewAlerts(scope, params.sourceId, body),
});
