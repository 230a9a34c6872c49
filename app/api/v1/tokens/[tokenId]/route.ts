import { tokenParams } from '@/lib/api/params';
import { apiTokenDtoSchema } from '@/lib/api-tokens/schema';
import { revokeApiToken } from '@/lib/api-tokens/service';
import { route } from '@/lib/http/route';

export const DELETE = route({
  method: 'DELETE',
  path: '/api/v1/tokens/{tokenId}',
  summary: 'Revoke an API token at once',
  auth: 'apiKey',
  scopes: ['tokens:write'],
  params: tokenParams,
  response: apiTokenDtoSchema,
  handle: ({ scope, params }) => revokeApiToken(scope, params.tokenId),
});
