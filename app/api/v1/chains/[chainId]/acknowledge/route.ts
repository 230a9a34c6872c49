import { acknowledgeBodySchema } from '@/lib/api/bodies';
import { chainParams } from '@/lib/api/params';
import { acknowledgeChain } from '@/lib/chains/service/acknowledge-chain';
import { getChain } from '@/lib/chains/service/get-chain';
import { chainDetailSchema } from '@/lib/chains/view/schema';
import { route } from '@/lib/http/route';

export const POST = route({
  method: 'POST',
  path: '/api/v1/chains/{chainId}/acknowledge',
  summary: 'Take in hand a chain that needs a human',
  auth: 'apiKey',
  scopes: ['chains:run'],
  params: chainParams,
  body: acknowledgeBodySchema,
  response: chainDetailSchema,
  status: 200,
  handle: async ({ scope, params, body }) => {
    await acknowledgeChain(scope, params.chainId, body.note);
    return getChain(scope, params.chainId);
  },
});
