import { route } from '@/lib/api/route';
import { reportUpdateFailure } from '@/lib/fleet/updates';
import { updateFailedRequestSchema } from '@/lib/protocol/schema';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/update-failed',
  summary: 'Report that an update was not made, or was taken back',
  auth: 'runner',
  body: updateFailedRequestSchema,
  handle: ({ scope, body }) => reportUpdateFailure(scope, body),
});
