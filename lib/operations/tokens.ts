import {
  apiTokenDtoSchema,
  createApiTokenSchema,
  createdApiTokenSchema,
} from '@/lib/identity/api-tokens/schema';
import { createApiToken, listApiTokens, revokeApiToken } from '@/lib/identity/api-tokens/service';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { operation } from './operation';

export const revoke = operation({
  method: 'DELETE',
  path: '/api/v1/tokens/{tokenId}',
  summary: 'Revoke an API token immediately',
  act: 'token.manage',
  scopes: ['tokens:write'],
  response: apiTokenDtoSchema,
  run: ({ scope, params }) => revokeApiToken(scope, params.tokenId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/tokens',
  summary: 'List API tokens, newest first',
  act: 'token.manage',
  scopes: ['tokens:read'],
  query: pageQuerySchema,
  response: pageSchema(apiTokenDtoSchema),
  run: ({ scope, query }) => listApiTokens(scope, query),
});

export const create = operation({
  method: 'POST',
  path: '/api/v1/tokens',
  summary: 'Create an API token; the response shows it once',
  act: 'token.manage',
  scopes: ['tokens:write'],
  body: createApiTokenSchema,
  example: { name: 'Deployments', scopes: ['chains:run'], expiresInDays: 30 },
  response: createdApiTokenSchema,
  run: ({ scope, body }) => createApiToken(scope, body),
});
