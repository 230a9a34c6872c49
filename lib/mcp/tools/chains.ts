import { z } from 'zod';
import { runChain } from '@/lib/engine/chains/start-chain';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { chainOutcomeSchema, chainStatusSchema } from '@/lib/engine/statuses';
import { getChain } from '@/lib/insight/chains/get-chain';
import { listChains } from '@/lib/insight/chains/list-chains';
import { requireId } from '@/lib/platform/ids';
import { tierSchema } from '@/lib/protocol/spec';
import {
  chainIdOf,
  chainInput,
  numberedOf,
  optionalProject,
  projectInput,
  projectOf,
} from '../inputs';
import { nextCursorSchema, pageInput, readPage } from '../page';
import { projectReference } from '../references';
import {
  chainBriefSchema,
  decisionBriefSchema,
  sessionBriefSchema,
  showChain,
  showDecision,
  showSession,
} from '../show-chain';
import { ACTS, defineTool, READS } from '../tool';
import { plainLine, untrusted, untrustedSchema } from '../untrusted';

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

const MAX_ITEMS = 30;

export const getChainTool = defineTool({
  name: 'get_chain',
  title: 'Get a chain',
  description:
    'Use it to understand one chain: its sessions in order, why each tier started or none did, what the checks said, and what it cost. For an agent’s report and log call get_session and read_log. Identify the chain as "Chain #5" with the project, by id (chn_…), or by URL.',
  scopes: ['chains:read'],
  annotations: READS,
  input: z.strictObject({ chain: chainInput, project: optionalProject }),
  output: chainBriefSchema.extend({
    start_tier: z.number().int(),
    prompt: untrustedSchema.optional(),
    stop_requested_by: z.string().optional(),
    acknowledged: z
      .object({
        by: z.string(),
        at: z.string(),
        until: z.string().optional(),
        note: untrustedSchema.optional(),
      })
      .optional(),
    sessions: z.array(sessionBriefSchema),
    decisions: z.array(decisionBriefSchema),
    services: z.array(
      z.object({
        name: z.string(),
        status: z.string(),
        status_before: z.string(),
        error: untrustedSchema.optional(),
        at: z.string(),
      }),
    ),
  }),
  run: async (call, { chain: input, project }) => {
    const { links } = call;
    const chain = await getChain(call.scope, await numberedOf(call, 'chain', input, project));
    const source = `Chain #${chain.number}`;
    const { acknowledgement } = chain;
    return {
      ...showChain(chain, links, 4_000),
      start_tier: chain.startTier,
      prompt: untrusted(`instructions for ${source}`, chain.prompt, 2_000),
      stop_requested_by: chain.stopRequest === null ? null : plainLine(chain.stopRequest.by),
      acknowledged: acknowledgement && {
        by: plainLine(acknowledgement.by),
        at: acknowledgement.at,
        until: acknowledgement.endsAt,
        note: untrusted('note of the acknowledgement', acknowledgement.note),
      },
      sessions: chain.sessions.slice(0, MAX_ITEMS).map((session) => showSession(session, links)),
      decisions: chain.decisions.slice(-MAX_ITEMS).map(showDecision),
      services: chain.services.slice(0, MAX_ITEMS).map((service) => ({
        name: plainLine(service.name),
        status: service.status,
        status_before: service.statusBefore,
        error: untrusted('check of the service', service.error, 500),
        at: service.at,
      })),
    };
  },
});

export const runChainTool = defineTool({
  name: 'run_chain',
  title: 'Run a chain now',
  description:
    'Use it to have a project’s services looked at now, when the person asks for that. It starts an agent, costs money, and may escalate to tiers that change systems; set dry_run to only observe. Fails while a chain of the project runs, and for tiers above 1 unless an admin’s token allows them. Returns at once: follow it with get_chain.',
  scopes: ['chains:run'],
  annotations: { ...ACTS, destructiveHint: true },
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

export const stopChainTool = defineTool({
  name: 'stop_chain',
  title: 'Stop a chain',
  description:
    'Use it to stop a chain that runs or waits, when the person asks for that. Its agent is ended, what it has changed stays changed, and its cost stays booked. Repeating it changes nothing; a chain that has ended can’t be stopped. Identify the chain as "Chain #5" with the project, by id (chn_…), or by URL.',
  scopes: ['chains:run'],
  annotations: { ...ACTS, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({ chain: chainInput, project: optionalProject }),
  output: chainBriefSchema,
  run: async (call, { chain, project }) => {
    const id = await chainIdOf(call, chain, project);
    await stopChain(call.scope, requireId('chn', id));
    return showChain(await getChain(call.scope, id), call.links);
  },
});
