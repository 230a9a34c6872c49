import { route } from '@/lib/api/route';
import { recordEvents } from '@/lib/engine/record-events';
import { eventsRequestSchema, eventsResponseSchema, MAX_BODY_BYTES } from '@/lib/protocol/schema';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/events',
  summary: 'Store events of running attempts',
  auth: 'runner',
  status: 200,
  maxBodyBytes: MAX_BODY_BYTES,
  body: eventsRequestSchema,
  response: eventsResponseSchema,
  handle: ({ scope, body }) => recordEvents(scope, body.batches),
});
