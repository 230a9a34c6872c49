/**
 * Names of the agent CLIs, one word each: what a project's configuration, a start and the CHECKs of
 * the database accept. `lib/agents/registry.ts` has one agent for each.
 */
export const AGENT_NAMES = ['claude', 'demo'] as const;
