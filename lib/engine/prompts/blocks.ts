/** Parts of prompts that are made from facts. Short, because every start pays for them. */

import type { ToolNames } from '@/lib/agents/agent';
import { formatSpan } from '@/lib/platform/format/duration';
import { renderPrompt } from '@/lib/projects/prompts';
import { filledPlaceholders, ruleFiller } from '@/lib/projects/rules/placeholders';
import type { CooldownRule } from '@/lib/projects/schema';
import type { ServiceSpec } from '@/lib/protocol/spec';
import type { CooldownFact } from '../cooldowns/state';

/** The system prompt names more services; the prompt of an escalation is limited. */
const MAX_NAMED_SERVICES = 5;

export function affectedLine(affected: readonly string[]): string {
  if (affected.length === 0) return 'not named';
  const named = affected.slice(0, MAX_NAMED_SERVICES).join(', ');
  const more = affected.length - MAX_NAMED_SERVICES;
  return more > 0 ? `${named}, and ${more} more listed in your instructions` : named;
}

export function servicesBlock(services: readonly ServiceSpec[]): string {
  if (services.length === 0) return 'None configured.';
  return services
    .map(({ name, checks }) => {
      const list = checks.map((check) => `${check.type} ${check.target}`).join('; ');
      return `- ${name}: ${list || 'no check'}`;
    })
    .join('\n');
}

/**
 * Returns the block about what may run. Rules may contain placeholders, which a line below them
 * explains; allowed rules that nothing fills are left out.
 */
export function actionsBlock(start: {
  tools: readonly string[];
  allowedRules: readonly string[];
  disallowedRules: readonly string[];
  /** Rules whose commands wait for a person's approval. */
  askFirstRules: readonly string[];
  services: readonly ServiceSpec[];
  keepsNotes: boolean;
  toolNames: ToolNames;
  /** What the process is to come to: a report, or an answer that may need a question. */
  endsWith: 'report' | 'ask';
}): string {
  const { check, [start.endsWith]: end } = start.toolNames;
  const tools = [start.tools.join(', ') || 'none', check, ...(end === null ? [] : [end])];
  const fill = ruleFiller(start.services);
  const allowed = start.allowedRules.filter((rule) => fill(rule).length > 0);
  const askFirst = start.askFirstRules;
  const notes = start.keepsNotes ? ', and those of the section "Notes"' : '';
  return [
    `Tools: ${tools.join(', ')}${notes}.`,
    `Allowed: ${allowed.join(', ') || 'read-only commands'}. Commands that only read (ls, cat, grep, docker ps, docker logs and the like) are allowed too, inside the work directory.`,
    ...(askFirst.length > 0
      ? [
          `Allowed once a person has approved the command, which waits for that: ${askFirst.join(', ')}. Say in one sentence why you need it before you run one.`,
        ]
      : []),
    ...notationLines([...allowed, ...askFirst]),
    ...placeholderLines([...allowed, ...askFirst], start.services),
    ...(start.disallowedRules.length > 0
      ? [`Always denied: ${start.disallowedRules.join(', ')}.`]
      : []),
  ].join('\n');
}

/** Explains what only rules for agents in a sandbox contain. */
function notationLines(rules: readonly string[]): string[] {
  const hasOptions = rules.some((rule) => rule.includes('[-'));
  const hasKinds = rules.some((rule) => /\{(int|word|time|text)\}/.test(rule));
  return [
    ...(hasOptions
      ? ['[--option] can be left out, or stand anywhere behind the verb. Other options are denied.']
      : []),
    ...(hasKinds
      ? ['{word} stands for one word, {int} for a number, {time} for a time, {text} for any text.']
      : []),
  ];
}

function placeholderLines(rules: readonly string[], services: readonly ServiceSpec[]): string[] {
  return filledPlaceholders(rules, services).map(
    ({ placeholder, programs, values }) =>
      `In rules of ${programs.join(', ')}, ${placeholder} stands for ${values.length > 0 ? `one of: ${values.join(', ')}` : 'nothing'}.`,
  );
}

/** Returns the cooldowns with a use above zero, one per line, and the limits once for all. */
export function cooldownsBlock(
  rules: readonly CooldownRule[],
  state: readonly CooldownFact[],
): string {
  if (rules.length === 0) return 'No limits are set. Still, restart and redeploy sparingly.';
  const limits = rules
    .map(
      ({ action, limit, windowSeconds }) =>
        `${count(limit, action)} in ${formatSpan(windowSeconds)}`,
    )
    .join(', ');
  const used = state.filter((rule) => rule.used > 0 || rule.limit === 0).map(usedLine);
  return [
    `Per service: at most ${limits}. Exceeding a limit stops you at once.`,
    ...(used.length > 0 ? used : ['Nothing has been used so far.']),
  ].join('\n');
}

function usedLine(rule: CooldownFact): string {
  const use = `- ${rule.service}, ${rule.action}: ${rule.used} of ${rule.limit} used`;
  if (rule.used < rule.limit) return `${use}, ${rule.limit - rule.used} left.`;
  if (rule.nextAllowedAt === null) return `${use}. Not allowed.`;
  return `${use}. Not allowed before ${rule.nextAllowedAt.toISOString()}.`;
}

function count(amount: number, action: string): string {
  return `${amount} ${action}${amount === 1 ? '' : 's'}`;
}

/** Returns the inputs of prompts that name tools. */
export function toolInputs({ report, check }: ToolNames): {
  reportTool: string;
  checkTool: string;
} {
  return { reportTool: report, checkTool: check };
}

/** Returns the section about the tools for notes. */
export function notesSection({ notes: { digest, remember, recall } }: ToolNames): string {
  return renderPrompt('keep-notes', {
    digestTool: digest,
    rememberTool: remember,
    recallTool: recall,
  }).trim();
}

/** Returns the line about dry run, for the escalation prompt and the system prompt. */
export function dryRunLine(isDryRun: boolean): string {
  return isDryRun
    ? 'Dry run is on: change nothing, and say in the report what you would have done.'
    : 'Dry run is off: what you do is real.';
}
