import { chainParams } from '@/lib/api/params';
import { getChain } from '@/lib/chains/service/get-chain';
import { chainDetailSchema } from '@/lib/chains/view/schema';
import { route } from '@/lib/http/route';

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
