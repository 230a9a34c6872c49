import { z } from 'zod';
import { createAlertSource, listAlertSources } from '@/lib/alerts/manage-sources';
import {
  alertSourceDtoSchema,
  alertSourceWithTokenSchema,
  createAlertSourceSchema,
} from '@/lib/alerts/source-schema';
import { route } from '@/lib/api/route';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';

const path = '/api/v1/alert-sources';

export const GET = route({
  method: 'GET',
  path,
  summary: 'List alert sources, newest first',
  auth: 'apiKey',
  scopes: ['alert-sources:read'],
  query: pageQuerySchema.extend({ project: z.string().optional() }),
  response: pageSchema(alertSourceDtoSchema),
  handle: ({ scope, query }) => listAlertSources(scope, query),
});

export const POST = route({
  method: 'POST',
  path,
  summary: 'Create an alert source; the response shows its token once',
  auth: 'apiKey',
  scopes: ['alert-sources:write'],
  body: createAlertSourceSchema,
  response: alertSourceWithTokenSchema,
  handle: ({ scope, body }) => createAlertSource(scope, body),
});
