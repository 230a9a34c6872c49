import type { ToolNames } from '@/lib/agents/agent';
import { fillTemplate } from '@/lib/projects/prompt-placeholders';
import { renderPrompt } from '@/lib/projects/prompts';
import type { CooldownRule } from '@/lib/projects/schema';
import type { ServiceSpec, Tier } from '@/lib/protocol/spec';
import type { CooldownFact } from '../cooldowns/state';
import { approvalTerms } from './approval-block';
import {
  actionsBlock,
  affectedLine,
  cooldownsBlock,
  dryRunLine,
  notesSection,
  servicesBlock,
  toolInputs,
} from './blocks';

/** The file that a tier in handoff mode writes. The variable is set per attempt. */
export const HANDOFF_FILE = '$CLAUDEOPS_STATE_DIR/handoff.json';

export interface StartPromptFacts {
  tier: Tier;
  /**
   * From the resume decision; `wait` and `refuse` start nothing. `continue`: the session's own
   * conversation continues. `approval`: the same, after people have decided about its commands.
   */
  mode: 'fresh' | 'resume' | 'handoff' | 'reconcile' | 'continue' | 'approval';
  project: string;
  services: readonly ServiceSpec[];
  /** Services that the start is for; empty for tier 1 of a chain. */
  affected: readonly string[];
  /** The agent's. */
  toolNames: ToolNames;
  tools: readonly string[];
  allowedRules: readonly string[];
  disallowedRules: readonly string[];
  /** Rules whose commands wait for a person's approval. */
  askFirstRules: readonly string[];
  cooldownRules: readonly CooldownRule[];
  cooldowns: readonly CooldownFact[];
  isDryRun: boolean;
  /** Instructions of the operators for this project; may be empty. */
  instructions: string;
  /** The project's own prompt for this tier; null: the shipped one. */
  tierPrompt: string | null;
  /** What was asked for with the start, as a sentence; null: nothing. */
  request: string | null;
  writesHandoffFile: boolean;
  /** The section "Escalation Context"; null without a handoff. */
  handoffContext: string | null;
  /** Time of the results in that section. */
  handoffAsOf: Date | null;
  /** Whether the tools for notes are offered. */
  keepsNotes: boolean;
  /**
   * The section about an earlier session's checkpoint; null: none. Never passed to a resumed start.
   */
  recoveryContext: string | null;
  /** What was decided, and what had run until then; null unless the mode is `approval`. */
  decided: {
    decisions: string;
    commands: string;
    /** Whether commands can wait for approval on this host. Elsewhere they are denied. */
    isHeld: boolean;
  } | null;
  /**
   * Alerts framed as data; null: none. Part of the prompt and not of the system prompt, whose text is
   * the operator's.
   */
  signals: string | null;
}

interface StartPrompts {
  /** Passed by stdin. */
  prompt: string;
  /** Appended to the CLI's system prompt at every start, because the CLI doesn't restore it. */
  systemPrompt: string;
}

const TITLES: Record<Tier, string> = {
  1: 'Observe',
  2: 'Safe remediation',
  3: 'Full remediation',
};

/** Returns the prompt and system prompt of one process, for every mode and tier. */
export function startPrompts(facts: StartPromptFacts): StartPrompts {
  const prompt = [promptOf(facts), ...(facts.signals ? [facts.signals] : [])];
  return { prompt: notACommand(prompt.join('\n\n')), systemPrompt: systemPromptOf(facts) };
}

function promptOf(facts: StartPromptFacts): string {
  const { tier, mode, project, tierPrompt: own } = facts;
  const affected = affectedLine(facts.affected);
  const request = requestLine(facts);
  const tools = toolInputs(facts.toolNames);
  if (mode === 'reconcile') {
    return renderPrompt('reconcile', { project, tier: String(tier), affected, ...tools });
  }
  if (mode === 'continue') return renderPrompt('continue', tools);
  if (mode === 'approval') {
    if (facts.decided === null) throw new Error('Nothing was decided, so nothing continues.');
    const { isHeld, ...decided } = facts.decided;
    const { reportTool } = tools;
    return renderPrompt('after-approval', { ...decided, terms: approvalTerms(isHeld), reportTool });
  }
  if (tier === 1) return renderPrompt('tier-1-observe', { project, request, ...tools }, own);
  if (mode === 'resume') {
    const dryRun = dryRunLine(facts.isDryRun);
    const name = tier === 2 ? 'escalate-to-tier-2' : 'escalate-to-tier-3';
    return renderPrompt(name, { affected, dryRun, ...tools });
  }
  if (mode === 'handoff') {
    const asOf = facts.handoffAsOf?.toISOString() ?? 'the end of the session before';
    const name = tier === 2 ? 'tier-2-from-handoff' : 'tier-3-from-handoff';
    return renderPrompt(name, { project, affected, asOf, request, ...tools }, own);
  }
  const name = tier === 2 ? 'tier-2-investigate-and-fix' : 'tier-3-remediate';
  return renderPrompt(name, { project, affected, request, ...tools }, own);
}

/** Returns the line with the request; empty if there is none. */
function requestLine({ request }: Pick<StartPromptFacts, 'request'>): string {
  return request ? `\n${request}` : '';
}

/** Returns the project's own prompt for a tier, filled with the values of this start. */
function ownTask(
  body: string,
  facts: Pick<StartPromptFacts, 'project' | 'affected' | 'request'>,
): string {
  return fillTemplate(body, {
    project: facts.project,
    affected: affectedLine(facts.affected),
    request: requestLine(facts),
  });
}

function systemPromptOf(facts: StartPromptFacts): string {
  // A reconcile observes, whatever tier's work it examines.
  const tier = facts.mode === 'reconcile' ? 1 : facts.tier;
  return renderPrompt('system-tier', {
    tier: String(tier),
    title: TITLES[tier],
    project: facts.project,
    tierRules: renderPrompt(`rules-tier-${tier}`, {}).trim(),
    services: servicesBlock(facts.services),
    actions: actionsBlock({ ...facts, endsWith: 'report' }),
    cooldowns: cooldownsBlock(facts.cooldownRules, facts.cooldowns),
    dryRun: dryRunLine(facts.isDryRun),
    sections: sectionsOf(facts),
    ...toolInputs(facts.toolNames),
  });
}

function sectionsOf(facts: StartPromptFacts): string {
  const isResumed = ['resume', 'continue', 'approval'].includes(facts.mode);
  const sections = [
    facts.affected.length > 0 ? `## Affected services\n\n${facts.affected.join(', ')}` : null,
    facts.instructions ? `## Operator instructions\n\n${facts.instructions.trim()}` : null,
    // A resumed start gets the short escalation prompt, so the project's own prompt is added here.
    isResumed && facts.tierPrompt
      ? `## Task of this tier\n\n${ownTask(facts.tierPrompt, facts)}`
      : null,
    writeHandoffSection(facts),
    facts.keepsNotes ? notesSection(facts.toolNames) : null,
    isResumed ? null : facts.handoffContext,
    isResumed ? null : facts.recoveryContext,
  ];
  const given = sections.filter((section) => section !== null).map((section) => section.trim());
  return given.length > 0 ? `\n${given.join('\n\n')}\n` : '';
}

function writeHandoffSection(facts: StartPromptFacts): string | null {
  const { tier, mode, writesHandoffFile } = facts;
  if (!writesHandoffFile || tier === 3 || mode === 'reconcile') return null;
  const name = tier === 1 ? 'write-handoff-tier-1' : 'write-handoff-tier-2';
  return renderPrompt(name, { file: HANDOFF_FILE, ...toolInputs(facts.toolNames) });
}

/** Keeps the CLI from taking a prompt with a leading slash as one of its own commands. */
function notACommand(prompt: string): string {
  return prompt.startsWith('/') ? `The task:\n${prompt}` : prompt;
}
