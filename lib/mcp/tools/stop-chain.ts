import { z } from 'zod';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { getChain } from '@/lib/insight/chains/get-chain';
import { requireId } from '@/lib/platform/ids';
import { chainIdOf, chainInput, optionalProject } from '../inputs';
import { chainBriefSchema, showChain } from '../show-chain';
import { defineTool } from '../tool';

export const stopChainTool = defineTool({
  name: 'stop_chain',
  title: 'Stop a chain',
  description:
    'Use it to stop a chain that runs or waits, when the person asks for that. Its agent is ended, what it has changed stays changed, and its cost stays booked. Repeating it changes nothing; a chain that has ended can’t be stopped. Identify the chain as "Chain #5" with the project, by id (chn_…), or by URL.',
  scopes: ['chains:run'],
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: true,
  },
  input: z.strictObject({ chain: chainInput, project: optionalProject }),
  output: chainBriefSchema,
  run: async (call, { chain, project }) => {
    const id = await chainIdOf(call, chain, project);
    await stopChain(call.scope, requireId('chn', id));
    return showChain(await getChain(call.scope, id), call.links);
  },
});
