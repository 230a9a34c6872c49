import { projectParams, runBodySchema } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { runChain } from '@/lib/engine/chains/start-chain';
import { chainOutcomeSchema, chainStatusSchema } from '@/lib/engine/statuses';
import { getChain } from '@/lib/insight/chains/get-chain';
import { listChains } from '@/lib/insight/chains/list-chains';
import { chainDetailSchema, chainItemSchema } from '@/lib/insight/chains/schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';

const shared = {
  path: '/api/v1/projects/{projectId}/chains',
  auth: 'apiKey',
  params: projectParams,
} as const;

export const GET = route({
  ...shared,
  method: 'GET',
  summary: 'List the chains of a project, newest first',
  scopes: ['chains:read'],
  query: pageQuerySchema.extend({
    status: chainStatusSchema.optional(),
    outcome: chainOutcomeSchema.optional(),
  }),
  response: pageSchema(chainItemSchema),
  handle: ({ scope, params, query }) => listChains(scope, { ...query, project: params.projectId }),
});

export const POST = route({
  ...shared,
  method: 'POST',
  summary: 'Run a chain now; 409 with the id of the running chain if there is one',
  scopes: ['chains:run'],
  body: runBodySchema,
  response: chainDetailSchema,
  handle: async ({ scope, params, body }) =>
    getChain(scope, await runChain(scope, params.projectId, body)),
  answerAgain: ({ scope }, target) => getChain(scope, target),
});
