import { chainParams, emptyBodySchema } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { getChain } from '@/lib/insight/chains/get-chain';
import { chainDetailSchema } from '@/lib/insight/chains/schema';
import { requireId } from '@/lib/platform/ids';

export const POST = route({
  method: 'POST',
  path: '/api/v1/chains/{chainId}/stop',
  summary: 'Stop a chain; its costs stay booked',
  auth: 'apiKey',
  scopes: ['chains:run'],
  params: chainParams,
  body: emptyBodySchema,
  response: chainDetailSchema,
  status: 200,
  handle: async ({ scope, params }) => {
    await stopChain(scope, requireId('chn', params.chainId));
    return getChain(scope, params.chainId);
  },
  answerAgain: ({ scope, params }) => getChain(scope, params.chainId),
});
