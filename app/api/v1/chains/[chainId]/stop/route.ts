import { emptyBodySchema } from '@/lib/api/bodies';
import { chainParams } from '@/lib/api/params';
import { getChain } from '@/lib/chains/service/get-chain';
import { stopChain } from '@/lib/chains/service/stop-chain';
import { chainDetailSchema } from '@/lib/chains/view/schema';
import { route } from '@/lib/http/route';
import { requireId } from '@/lib/ids/require-id';

export const POST = route({
  method: 'POST',
  path: '/api/v1/chains/{chainId}/stop',
  summary: 'Stop a chain; what it spent stays booked',
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
});
