/** The agent CLIs that this product can drive. */
import type { HarnessName, StartSpec } from '@/lib/protocol/spec';
import type { Agent, Command, HostLayout } from './agent';
import { claudeAgent } from './claude/claude-agent';
import { demoAgent } from './demo/demo-agent';
import type { PriceTable } from './prices';

/** One line each; the names are those of `lib/protocol/spec.ts`. */
export const AGENTS: Record<HarnessName, Agent> = {
  claude: claudeAgent,
  demo: demoAgent,
};

/** What pages say of an agent, and offer where one is chosen: plain data. */
export type AgentInfo = Pick<
  Agent,
  'name' | 'label' | 'hasModel' | 'needs' | 'uses' | 'models' | 'tierModels'
>;

export function listAgents(): AgentInfo[] {
  return Object.values(AGENTS).map((agent) => {
    const { name, label, hasModel, needs, uses, models, tierModels } = agent;
    return { name, label, hasModel, needs, uses, models, tierModels };
  });
}

/**
 * Returns the agent of a name that a newer runner may have reported; null if this version doesn't
 * know it.
 */
export function findAgent(name: string): Agent | null {
  return Object.values(AGENTS).find((agent) => agent.name === name) ?? null;
}

/** `Claude Code`; a name that isn't known is shown as such. */
export function agentLabel(name: string): string {
  return findAgent(name)?.label ?? `${name} (unknown agent)`;
}

/** Models of the tiers of a project that names none. */
export function tierModelsOf(name: HarnessName): Agent['tierModels'] {
  return AGENTS[name].tierModels;
}

/** Returns the prices for estimating a running attempt; null if its agent is unknown. */
export function pricesOf(name: string | null | undefined): PriceTable | null {
  return name ? (findAgent(name)?.prices ?? null) : null;
}

/** Returns the exact argv, environment and input of one start, for both preview and start. */
export function tierCommand(spec: StartSpec, host: HostLayout): Command {
  return AGENTS[spec.harness].command(spec, host);
}
