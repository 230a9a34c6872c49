import { z } from 'zod';
import { route } from '@/lib/api/route';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { createSignalSource, listSignalSources } from '@/lib/signals/manage-sources';
import {
  createSignalSourceSchema,
  signalSourceDtoSchema,
  signalSourceWithTokenSchema,
} from '@/lib/signals/source-schema';

const path = '/api/v1/signal-sources';

export const GET = route({
  method: 'GET',
  path,
  summary: 'List alert sources, newest first',
  auth: 'apiKey',
  scopes: ['alert-sources:read'],
  query: pageQuerySchema.extend({ project: z.string().optional() }),
  response: pageSchema(signalSourceDtoSchema),
  handle: ({ scope, query }) => listSignalSources(scope, query),
});

export const POST = route({
  method: 'POST',
  path,
  summary: 'Create an alert source; the response shows its token once',
  auth: 'apiKey',
  scopes: ['alert-sources:write'],
  body: createSignalSourceSchema,
  response: signalSourceWithTokenSchema,
  handle: ({ scope, body }) => createSignalSource(scope, body),
});
