import { type Command, type HostLayout, shownArgv } from '@/lib/agents/agent';
import { confinedRules } from '@/lib/agents/confined-rules';
import { AGENTS, tierCommand } from '@/lib/agents/registry';
import { toolInputs } from '@/lib/engine/prompts/blocks';
import { startPrompts } from '@/lib/engine/prompts/start-prompt';
import { type PromptName, shippedBody } from '@/lib/projects/prompts';
import { askFirstDenials } from '@/lib/projects/rules/ask-first-denials';
import { expandDenials, expandRules } from '@/lib/projects/rules/placeholders';
import type { ProjectConfig } from '@/lib/projects/schema';
import { startIsolation } from '@/lib/protocol/confinement';
import { reportJsonSchema } from '@/lib/protocol/report';
import type { HarnessName, StartSpec, Tier } from '@/lib/protocol/spec';

interface TierPreview {
  /** The program, then its arguments; ids and the report schema are words in angle brackets. */
  argv: string[];
  /** Goes in by stdin. */
  prompt: string;
  /** Appended to the CLI's own system prompt, by file. */
  systemPrompt: string;
}

/**
 * Returns how a tier would start with this configuration, built like a real start without findings.
 */
export function previewTier(
  project: { name: string; config: ProjectConfig },
  tier: Tier,
  cliVersion: string | null,
): TierPreview {
  const { config } = project;
  const policy = config.tiers[tier - 1];
  if (!policy) throw new Error(`Tier ${tier} has no policy.`);
  const mode = edgeInto(config, tier);
  const writesHandoffFile = edgeOutOf(config, tier) === 'handoff';
  const [example] = config.services;
  const isOpen = config.isolation === 'open';
  const denied = isOpen
    ? [
        ...policy.disallowedTools,
        ...askFirstDenials(policy.askFirstTools, policy.allowedTools, config.services),
      ]
    : policy.disallowedTools;
  const disallowedRules = expandDenials(denied);
  const prompts = startPrompts({
    tier,
    mode: tier === 1 ? 'fresh' : mode,
    project: project.name,
    services: config.services,
    affected: tier > 1 && example ? [example.name] : [],
    toolNames: AGENTS[config.harness].toolNames,
    tools: policy.tools,
    allowedRules: policy.allowedTools,
    disallowedRules,
    askFirstRules: isOpen ? [] : policy.askFirstTools,
    cooldownRules: config.cooldowns,
    cooldowns: [],
    isDryRun: config.dryRun,
    instructions: config.instructions,
    tierPrompt: policy.prompt,
    request: null,
    writesHandoffFile,
    handoffContext: null,
    handoffAsOf: null,
    keepsNotes: config.checkpoints.enabled,
    recoveryContext: null,
    decided: null,
    signals: null,
  });
  const rules = {
    tools: policy.tools,
    allowedRules: expandRules(policy.allowedTools, config.services),
    disallowedRules,
  };
  const argv = previewArgv(
    {
      harness: config.harness,
      tier,
      purpose: 'tier',
      model: policy.model,
      ...previewContinuation(tier, mode),
      ...prompts,
      tools: policy.tools,
      ...(isOpen ? rules : confinedRules(rules)),
      isolation: startIsolation(config.isolation),
      commands: null,
      reportSchema: reportJsonSchema,
      questionWaitSeconds: null,
      limits: {
        timeoutSeconds: policy.timeoutSeconds,
        stallSeconds: policy.stallSeconds,
        maxTurns: policy.maxTurns,
        maxBudgetUsd: policy.maxBudgetUsd,
      },
      writesHandoffFile,
      agent: null,
      checkpoints: config.checkpoints.enabled
        ? { project: project.name, ...config.checkpoints }
        : null,
      recovery: null,
    },
    cliVersion,
  );
  return { argv, ...prompts };
}

const SHIPPED: Record<Tier, PromptName> = {
  1: 'tier-1-observe',
  2: 'tier-2-investigate-and-fix',
  3: 'tier-3-remediate',
};

/** Returns the default text that a tier's own prompt replaces, as this agent gets it. */
export function shippedPrompt(tier: Tier, harness: HarnessName): string {
  return shippedBody(SHIPPED[tier], toolInputs(AGENTS[harness].toolNames));
}

function edgeInto({ continuation }: ProjectConfig, tier: Tier): 'resume' | 'handoff' {
  return tier === 3 ? continuation.tier2To3 : continuation.tier1To2;
}

function edgeOutOf({ continuation }: ProjectConfig, tier: Tier): 'resume' | 'handoff' | null {
  if (tier === 3) return null;
  return tier === 1 ? continuation.tier1To2 : continuation.tier2To3;
}

/** Stand-ins for what only a real start has, and how the page writes them. */
const OWN_ID = '00000000-0000-4000-8000-000000000001';
const PARENT_ID = '00000000-0000-4000-8000-000000000002';

/** The conversation of a start in a preview. */
function previewContinuation(
  tier: number,
  mode: 'resume' | 'handoff',
): Pick<StartSpec, 'continuation' | 'cliSessionId'> {
  const continuation =
    tier === 1
      ? { mode: 'fresh' as const }
      : mode === 'handoff'
        ? { mode: 'handoff' as const }
        : { mode: 'resume' as const, parentCliSessionId: PARENT_ID };
  return { continuation, cliSessionId: OWN_ID };
}

/** The exact argv of a start, with words in place of ids and of the long report schema. */
function previewArgv(spec: StartSpec, cliVersion: string | null): string[] {
  const command: Command = tierCommand(spec, placeholderHost(spec, cliVersion));
  const schema = JSON.stringify(spec.reportSchema);
  const shown = new Map([
    [OWN_ID, '<new id>'],
    [PARENT_ID, `<conversation of tier ${spec.tier - 1}>`],
    [schema, `<report schema, ${schema.length.toLocaleString('en')} characters>`],
  ]);
  return shownArgv(command).map((argument) => shown.get(argument) ?? argument);
}

function placeholderHost(spec: StartSpec, cliVersion: string | null): HostLayout {
  return {
    binary: { file: AGENTS[spec.harness].program.shownName, args: [] },
    cliVersion,
    workDir: '/runner/work',
    configDir: '/runner/config',
    stateDir: '/runner/state',
    tmpDir: '/runner/tmp',
    systemPromptFile: '/runner/attempt/system-prompt.md',
    mcpConfigFile: '/runner/attempt/mcp.json',
    settingsFile: '/runner/attempt/settings.json',
    hookCommand: 'hook',
    marker: 'preview',
    passThrough: {},
    mcpServer: null,
  };
}
