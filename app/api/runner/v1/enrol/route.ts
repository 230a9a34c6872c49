import { route } from '@/lib/api/route';
import { enrolRunner } from '@/lib/fleet/runner-keys';
import { enrolRequestSchema, enrolResponseSchema } from '@/lib/protocol/schema';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/enrol',
  summary: 'Enroll a runner with a one-time token',
  auth: 'public',
  body: enrolRequestSchema,
  credentials: ['token'],
  response: enrolResponseSchema,
  handle: ({ body }) => enrolRunner(body),
});
