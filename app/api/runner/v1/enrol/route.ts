import { route } from '@/lib/http/route';
import { enrolRequestSchema, enrolResponseSchema } from '@/lib/runner-protocol/schema';
import { enrolRunner } from '@/lib/runners/service/enrol-runner';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/enrol',
  summary: 'Enrol a runner with a one-time token',
  auth: 'public',
  body: enrolRequestSchema,
  credentials: ['token'],
  response: enrolResponseSchema,
  handle: ({ body }) => enrolRunner(body),
});
