/**
 * Finds rules that do nothing: a rule that can never match is refused, a rule that another one
 * covers gets a warning.
 */
import { parseCommandRule } from '@/lib/commands/rule';
import type { Isolation } from '@/lib/protocol/confinement';
import type { TierPolicy } from '../schema';
import { coversCommand, parseRule, plainWords, type Rule } from './rule';

/** Built-in tools of the CLI that rules name. */
const TOOLS = [
  ...['Bash', 'Read', 'Write', 'Edit', 'NotebookEdit', 'Glob', 'Grep', 'WebFetch', 'WebSearch'],
  ...['Task', 'Agent', 'TodoWrite', 'Skill', 'AskUserQuestion', 'BashOutput', 'KillShell'],
];

/** Tools whose rules another tool's stand for. */
const COVERED_BY: Record<string, readonly string[]> = { Edit: ['Edit', 'Write', 'NotebookEdit'] };

/** Returns why a rule of the allow list can never have an effect, or null. */
export function deadAllowRule(text: string, tools: readonly string[]): string | null {
  const rule = parseRule(text);
  const shape = shapeProblem(text, rule);
  if (shape || !rule) return shape;
  if (rule.tool.startsWith('mcp__')) return null;
  if ((rule.tool === 'Write' || rule.tool === 'NotebookEdit') && rule.form.kind !== 'whole') {
    return `${text} does nothing: the agent uses Edit to write. Use Edit(${inner(rule)}).`;
  }
  const needed = COVERED_BY[rule.tool] ?? [rule.tool];
  if (needed.some((tool) => tools.includes(tool))) return null;
  return `${text} does nothing: ${rule.tool} is not among the tools of this tier. Add it to Tools, or leave the rule out.`;
}

/** Returns why a rule of the deny list can never have an effect, or null. */
export function deadRefuseRule(text: string): string | null {
  return shapeProblem(text, parseRule(text));
}

/**
 * Returns why a rule can't hold commands for approval, or null. The command broker holds them, so the
 * rule has to name a program and its arguments.
 */
export function deadAskRule(text: string, tools: readonly string[]): string | null {
  const rule = parseRule(text);
  const shape = shapeProblem(text, rule);
  if (shape || !rule) return shape;
  if (rule.tool !== 'Bash') {
    return `${text} can’t ask first: only commands can. Write the command, such as Bash(docker stop {service}).`;
  }
  const parsed = parseCommandRule(text);
  if (!parsed.ok) {
    const isWhole = rule.form.kind === 'whole';
    return isWhole
      ? `${text} can’t ask first: it names no program. Write one rule for each command.`
      : `${text} can’t ask first. ${parsed.problem}`;
  }
  return deadAllowRule(text, tools);
}

/**
 * Returns a warning if a wider rule makes this one redundant or another list overrides it, or null.
 */
export function shadowWarning(
  text: string,
  allowed: readonly string[],
  refused: readonly string[],
  askFirst: readonly string[] = [],
): string | null {
  const defeating = coveringRule(text, refused);
  if (defeating) return `It never applies: ${defeating} overrides it.`;
  if (askFirst.includes(text)) return 'It never applies: the same rule is in the list Ask first.';
  const wider = coveringRule(text, without(allowed, text));
  return wider ? `It adds nothing: ${wider} already covers it.` : null;
}

/** Returns a warning about an ask-first rule that doesn't ask, or adds nothing, or null. */
export function askFirstWarning(
  text: string,
  { disallowedTools, askFirstTools }: Pick<TierPolicy, 'disallowedTools' | 'askFirstTools'>,
  isolation: Isolation,
): string | null {
  const defeating = coveringRule(text, disallowedTools);
  if (defeating) return `It never applies: ${defeating} overrides it.`;
  const wider = coveringRule(text, without(askFirstTools, text));
  if (wider) return `It adds nothing: ${wider} already asks first.`;
  const [program, ...args] = isolation === 'confined' ? [] : (plainWords(text) ?? []);
  if (program === undefined || args.length > 0) return null;
  return `In an open project it denies every ${program} command: nothing after the program is a plain word.`;
}

/** Returns the first of these rules that matches everything that `text` does, or null. */
function coveringRule(text: string, others: readonly string[]): string | null {
  const rule = parseRule(text);
  if (!rule) return null;
  const covering = others.find((other) => {
    const parsed = parseRule(other);
    return parsed?.tool === rule.tool && (other === text || isCovered(rule, parsed));
  });
  return covering ?? null;
}

function without(rules: readonly string[], text: string): string[] {
  return rules.filter((rule) => rule !== text);
}

/** Whether everything that `rule` matches is matched by `other`; false where that is not certain. */
function isCovered({ form }: Rule, other: Rule): boolean {
  if (other.form.kind === 'whole') return form.kind !== 'whole';
  if (form.kind === 'whole' || form.kind === 'pattern') return false;
  if (form.kind === 'prefix' && other.form.kind !== 'prefix') return false;
  return coversCommand(other, form.text);
}

function shapeProblem(text: string, rule: Rule | null): string | null {
  if (!rule) {
    return `${text} is not a rule. Write a tool, such as Bash, or a tool with a pattern: Bash(docker ps:*).`;
  }
  if (rule.tool.startsWith('mcp__') || TOOLS.includes(rule.tool)) return null;
  const known = TOOLS.find((tool) => tool.toLowerCase() === rule.tool.toLowerCase());
  const meant = known ? ` Write ${known}.` : ` To allow a command, write Bash(${text}:*).`;
  return `${text} does nothing: there is no tool named ${rule.tool}.${meant}`;
}

function inner({ form }: Rule): string {
  if (form.kind === 'whole') return './**';
  return form.kind === 'prefix' ? `${form.text}:*` : form.text;
}
