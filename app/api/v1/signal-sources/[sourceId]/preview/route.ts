import { signalSourceParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { previewSignals } from '@/lib/signals/preview-signals';
import { previewBodySchema, signalPreviewSchema } from '@/lib/signals/request-schema';

export const POST = route({
  method: 'POST',
  path: '/api/v1/signal-sources/{sourceId}/preview',
  summary: 'Show what a body would become; stores nothing',
  auth: 'apiKey',
  scopes: ['alert-sources:write'],
  params: signalSourceParams,
  body: previewBodySchema,
  response: signalPreviewSchema,
  status: 200,
  handle: ({ scope, params, body }) => previewSignals(scope, params.sourceId, body),
});
