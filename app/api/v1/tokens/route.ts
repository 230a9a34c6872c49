import { route } from '@/lib/api/route';
import {
  apiTokenDtoSchema,
  createApiTokenSchema,
  createdApiTokenSchema,
} from '@/lib/identity/api-tokens/schema';
import { createApiToken, listApiTokens } from '@/lib/identity/api-tokens/service';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';

const path = '/api/v1/tokens';

export const GET = route({
  method: 'GET',
  path,
  summary: 'List API tokens, newest first',
  auth: 'apiKey',
  scopes: ['tokens:read'],
  query: pageQuerySchema,
  response: pageSchema(apiTokenDtoSchema),
  handle: ({ scope, query }) => listApiTokens(scope, query),
});

export const POST = route({
  method: 'POST',
  path,
  summary: 'Create an API token; the response shows it once',
  auth: 'apiKey',
  scopes: ['tokens:write'],
  body: createApiTokenSchema,
  response: createdApiTokenSchema,
  handle: ({ scope, body }) => createApiToken(scope, body),
});
