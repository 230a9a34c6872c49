import { z } from 'zod';
import { getChain } from '@/lib/insight/chains/get-chain';
import { chainInput, numberedOf, optionalProject } from '../inputs';
import {
  chainBriefSchema,
  decisionBriefSchema,
  sessionBriefSchema,
  showChain,
  showDecision,
  showSession,
} from '../show-chain';
import { defineTool, READS } from '../tool';
import { plainLine, untrusted, untrustedSchema } from '../untrusted';

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
