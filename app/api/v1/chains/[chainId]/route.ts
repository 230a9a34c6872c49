import { chainParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getChain } from '@/lib/insight/chains/get-chain';
import { chainDetailSchema } from '@/lib/insight/chains/schema';

export const GET = route({
  method: 'GET',
  path: '/api/v1/chains/{chainId}',
  summary: 'Get a chain: its sessions in order, decisions, costs and outcome',
  auth: 'apiKey',
  scopes: ['chains:read'],
  params: chainParams,
  response: chainDetailSchema,
  handle: ({ scope, params }) => getChain(scope, params.chainId),
});
