import { route } from '@/lib/api/route';
import { createEnrolment, listRunners } from '@/lib/fleet/manage-runners';
import { createEnrolmentSchema, enrolmentDtoSchema, runnerDtoSchema } from '@/lib/fleet/schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';

const path = '/api/v1/runners';

export const GET = route({
  method: 'GET',
  path,
  summary: 'List runners, newest first',
  auth: 'apiKey',
  scopes: ['runners:read'],
  query: pageQuerySchema,
  response: pageSchema(runnerDtoSchema),
  handle: ({ scope, query }) => listRunners(scope, query),
});

export const POST = route({
  method: 'POST',
  path,
  summary: 'Create a token that registers one runner and expires in an hour',
  auth: 'apiKey',
  scopes: ['runners:write'],
  body: createEnrolmentSchema,
  response: enrolmentDtoSchema,
  handle: ({ scope, body }) => createEnrolment(scope, body),
});
