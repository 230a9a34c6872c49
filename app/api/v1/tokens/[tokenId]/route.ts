import { tokenParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { apiTokenDtoSchema } from '@/lib/identity/api-tokens/schema';
import { revokeApiToken } from '@/lib/identity/api-tokens/service';

export const DELETE = route({
  method: 'DELETE',
  path: '/api/v1/tokens/{tokenId}',
  summary: 'Revoke an API token immediately',
  auth: 'apiKey',
  scopes: ['tokens:write'],
  params: tokenParams,
  response: apiTokenDtoSchema,
  handle: ({ scope, params }) => revokeApiToken(scope, params.tokenId),
});
