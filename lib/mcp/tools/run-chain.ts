import { z } from 'zod';
import { runChain } from '@/lib/engine/chains/start-chain';
import { getChain } from '@/lib/insight/chains/get-chain';
import { tierSchema } from '@/lib/protocol/spec';
import { projectInput } from '../inputs';
import { projectReference } from '../references';
import { chainBriefSchema, showChain } from '../show-chain';
import { defineTool } from '../tool';

export const runChainTool = defineTool({
  name: 'run_chain',
  title: 'Run a chain now',
  description:
    'Use it to have a project’s services looked at now, when the person asks for that. It starts an agent, costs money, and may escalate to tiers that change systems; set dry_run to only observe. Fails while a chain of the project runs, and for tiers above 1 unless an admin’s token allows them. Returns at once: follow it with get_chain.',
  scopes: ['chains:run'],
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  input: z.strictObject({
    project: projectInput,
    tier: tierSchema.optional().meta({ description: 'Tier to begin with; 1 if missing.' }),
    prompt: z
      .string()
      .trim()
      .max(4_000, 'A prompt has at most 4,000 characters.')
      .optional()
      .meta({ description: 'Instructions added before the tier’s prompt.' }),
    dry_run: z.boolean().optional().meta({ description: 'Observe only: nothing escalates.' }),
    force_fresh: z
      .boolean()
      .optional()
      .meta({ description: 'Don’t resume conversations or recover checkpoints.' }),
  }),
  output: chainBriefSchema,
  run: async ({ scope, links, place }, input) => {
    const { project, tier, prompt, dry_run: dryRun, force_fresh: forceFresh } = input;
    const options = {
      ...(tier === undefined ? {} : { tier }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(dryRun === undefined ? {} : { dryRun }),
      ...(forceFresh === undefined ? {} : { forceFresh }),
    };
    const id = await runChain(scope, projectReference(project, place), options);
    return showChain(await getChain(scope, id), links);
  },
});
