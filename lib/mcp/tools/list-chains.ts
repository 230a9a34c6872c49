import { z } from 'zod';
import { chainOutcomeSchema, chainStatusSchema } from '@/lib/engine/statuses';
import { listChains } from '@/lib/insight/chains/list-chains';
import { projectInput, projectOf } from '../inputs';
import { nextCursorSchema, pageInput, readPage } from '../page';
import { chainBriefSchema, showChain } from '../show-chain';
import { defineTool, READS } from '../tool';

export const listChainsTool = defineTool({
  name: 'list_chains',
  title: 'List chains',
  description:
    'Use it to find chains (monitoring cycles): what ran, what it found, how it ended, and what it cost. Newest first, of one project or of all. Sessions aren’t included: call get_chain.',
  scopes: ['chains:read'],
  annotations: READS,
  input: pageInput.extend({
    project: projectInput
      .optional()
      .meta({ description: 'Slug, id (prj_…) or URL of a project; all projects without it.' }),
    status: chainStatusSchema.optional().meta({ description: 'Only chains of this status.' }),
    outcome: chainOutcomeSchema.optional().meta({ description: 'Only chains that ended so.' }),
  }),
  output: z.object({ chains: z.array(chainBriefSchema), next_cursor: nextCursorSchema }),
  run: async (call, { project, status, outcome, ...range }) => {
    const filter = { project: projectOf(call, project), status, outcome };
    const page = await readPage(
      range,
      (part) => listChains(call.scope, { ...filter, ...part }),
      (chain) => showChain(chain, call.links),
    );
    return { chains: page.rows, next_cursor: page.next_cursor };
  },
});
