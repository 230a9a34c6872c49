import { acknowledgeBodySchema, chainParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { acknowledgeChain, endAcknowledgement } from '@/lib/engine/chains/acknowledge-chain';
import { getChain } from '@/lib/insight/chains/get-chain';
import { chainDetailSchema } from '@/lib/insight/chains/schema';

const shared = {
  path: '/api/v1/chains/{chainId}/acknowledge',
  auth: 'apiKey',
  scopes: ['chains:run'],
  params: chainParams,
  response: chainDetailSchema,
  status: 200,
} as const;

export const POST = route({
  ...shared,
  method: 'POST',
  summary:
    'Acknowledge a chain that needs a human, and its incident; its services don’t escalate until the acknowledgement ends',
  body: acknowledgeBodySchema,
  handle: async ({ scope, params, body }) => {
    await acknowledgeChain(scope, params.chainId, body);
    return getChain(scope, params.chainId);
  },
  answerAgain: ({ scope, params }) => getChain(scope, params.chainId),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Remove an acknowledgement; the chain and its incident need a human again',
  handle: async ({ scope, params }) => {
    await endAcknowledgement(scope, params.chainId);
    return getChain(scope, params.chainId);
  },
});
