import { acknowledgeChain, endAcknowledgement as end } from '@/lib/engine/chains/acknowledge-chain';
import { runChain } from '@/lib/engine/chains/start-chain';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { chainOutcomeSchema, chainStatusSchema } from '@/lib/engine/statuses';
import { getChain } from '@/lib/insight/chains/get-chain';
import { listChains } from '@/lib/insight/chains/list-chains';
import { chainDetailSchema, chainItemSchema } from '@/lib/insight/chains/schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { requireId } from '@/lib/platform/ids';
import { acknowledgeBodySchema, emptyBodySchema, runBodySchema } from './bodies';
import { operation } from './operation';

export const acknowledge = operation({
  method: 'POST',
  path: '/api/v1/chains/{chainId}/acknowledge',
  summary:
    'Acknowledge a chain that needs a human, and its incident; its services don’t escalate until the acknowledgement ends',
  act: 'chain.acknowledge',
  scopes: ['chains:run'],
  status: 200,
  body: acknowledgeBodySchema,
  example: { note: 'I’m on it.' },
  response: chainDetailSchema,
  refusals: {
    409: 'The chain doesn’t need a human, or someone has already acknowledged it.',
  },
  run: ({ scope, params, body }) => acknowledgeChain(scope, params.chainId, body),
  answer: ({ scope, params }) => getChain(scope, params.chainId),
});

export const endAcknowledgement = operation({
  method: 'DELETE',
  path: '/api/v1/chains/{chainId}/acknowledge',
  summary: 'Remove an acknowledgement; the chain and its incident need a human again',
  act: 'chain.acknowledge',
  scopes: ['chains:run'],
  response: chainDetailSchema,
  run: ({ scope, params }) => end(scope, params.chainId),
  answer: ({ scope, params }) => getChain(scope, params.chainId),
});

export const get = operation({
  method: 'GET',
  path: '/api/v1/chains/{chainId}',
  summary: 'Get a chain: its sessions in order, decisions, costs and outcome',
  act: 'organization.read',
  scopes: ['chains:read'],
  response: chainDetailSchema,
  run: ({ scope, params }) => getChain(scope, params.chainId),
});

export const stop = operation({
  method: 'POST',
  path: '/api/v1/chains/{chainId}/stop',
  summary: 'Stop a chain; its costs stay booked',
  act: 'chain.stop',
  scopes: ['chains:run'],
  status: 200,
  body: emptyBodySchema,
  response: chainDetailSchema,
  refusals: { 409: 'The chain has ended.' },
  run: ({ scope, params }) => stopChain(scope, requireId('chn', params.chainId)),
  answer: ({ scope, params }) => getChain(scope, params.chainId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/projects/{projectId}/chains',
  summary: 'List the chains of a project, newest first',
  act: 'organization.read',
  scopes: ['chains:read'],
  query: pageQuerySchema.extend({
    status: chainStatusSchema.optional(),
    outcome: chainOutcomeSchema.optional(),
  }),
  response: pageSchema(chainItemSchema),
  run: ({ scope, params, query }) => listChains(scope, { ...query, project: params.projectId }),
});

export const run = operation({
  method: 'POST',
  path: '/api/v1/projects/{projectId}/chains',
  summary: 'Run a chain now; 409 with the id of the running chain if there is one',
  act: 'chain.run',
  scopes: ['chains:run'],
  body: runBodySchema,
  example: { prompt: 'We have just deployed 4711.' },
  response: chainDetailSchema,
  refusals: {
    409: 'A chain of the project is still running; `chainId` is its id.',
    412: 'The project is paused, the tier is off, a budget is used up, or its pool has no runner.',
  },
  run: ({ scope, params, body }) => runChain(scope, params.projectId, body),
  answer: ({ scope }, target) => getChain(scope, target),
});
