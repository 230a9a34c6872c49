/** The agents that a project offers for conversations. */

import { z } from 'zod';
import { harnessNameSchema } from '@/lib/protocol/spec';
import { MAX_ASK_AGENTS } from './limits';
import { setting, text } from './setting';

export const askAgentSchema = z.object({
  name: text(
    z
      .string()
      .min(1, 'Enter a name.')
      .max(40, 'A name has at most 40 characters.')
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9 ._-]*$/,
        'Use letters, digits, spaces, dots, hyphens and underscores.',
      ),
    {
      label: 'Name',
      doc: 'Name used in the interface and the API.',
      control: { kind: 'text', placeholder: 'Sonnet' },
    },
  ),
  harness: setting(harnessNameSchema, { label: 'Agent', control: { kind: 'agent' } }),
  model: text(z.string().min(1, 'Enter a model.').max(100), {
    label: 'Model',
    doc: 'Model, as its CLI takes it.',
    control: { kind: 'text', suggests: 'models' },
  }),
});
export type AskAgent = z.infer<typeof askAgentSchema>;

export const askAgentsSchema = z
  .array(askAgentSchema)
  .max(MAX_ASK_AGENTS, `A project has at most ${MAX_ASK_AGENTS} agents for conversations.`)
  .refine(
    (agents) => new Set(agents.map(({ name }) => name)).size === agents.length,
    'Two agents have the same name.',
  );

interface AgentSource {
  harness: AskAgent['harness'];
  tiers: readonly [{ model: string }, ...unknown[]];
  askAgents: readonly AskAgent[];
}

/** Returns at least one agent: if none is configured, the chains' agent with tier 1's model. */
export function agentsOf({ harness, tiers, askAgents }: AgentSource): readonly AskAgent[] {
  if (askAgents.length > 0) return askAgents;
  return [{ name: harness, harness, model: tiers[0].model }];
}
