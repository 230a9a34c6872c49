import { startPrompts } from '@/lib/engine/prompts/start/service';
import type { PromptName } from '@/lib/projects/prompts/schema';
import { shippedBody } from '@/lib/projects/prompts/service';
import { expandRules } from '@/lib/projects/rules/placeholders';
import type { ProjectConfig } from '@/lib/projects/schema';
import { reportJsonSchema } from '@/lib/protocol/report';
import type { Tier } from '@/lib/protocol/spec';
import { previewArgv, previewContinuation } from './preview-command';

export interface TierPreview {
  /** The program, then its arguments; ids and the report schema are words in angle brackets. */
  argv: string[];
  /** Goes in by stdin. */
  prompt: string;
  /** Appended to the CLI's own system prompt, by file. */
  systemPrompt: string;
}

/** How a tier would start with this configuration: what a start is built from, with nothing found yet. */
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
  const disallowedRules = expandRules(policy.disallowedTools, config.services);
  const prompts = startPrompts({
    tier,
    mode: tier === 1 ? 'fresh' : mode,
    project: project.name,
    services: config.services,
    affected: tier > 1 && example ? [example.name] : [],
    tools: policy.tools,
    allowedRules: policy.allowedTools,
    disallowedRules,
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
  });
  const argv = previewArgv(
    {
      harness: config.harness,
      tier,
      purpose: 'tier',
      model: policy.model,
      ...previewContinuation(tier, mode),
      ...prompts,
      tools: policy.tools,
      allowedRules: expandRules(policy.allowedTools, config.services),
      disallowedRules,
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

/** The text that a tier's own prompt stands in for. */
export function shippedPrompt(tier: Tier): string {
  return shippedBody(SHIPPED[tier]);
}

function edgeInto({ continuation }: ProjectConfig, tier: Tier): 'resume' | 'handoff' {
  return tier === 3 ? continuation.tier2To3 : continuation.tier1To2;
}

function edgeOutOf({ continuation }: ProjectConfig, tier: Tier): 'resume' | 'handoff' | null {
  if (tier === 3) return null;
  return tier === 1 ? continuation.tier1To2 : continuation.tier2To3;
}
