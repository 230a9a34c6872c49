/**
 * Finds rules that do nothing: a rule that can never match is refused, a rule that another one
 * covers gets a warning.
 */
import { coversCommand, parseRule, type Rule } from './rule';

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
 * Returns a warning if a wider rule makes this one redundant or a denied rule overrides it, or
 * null.
 */
export function shadowWarning(
  text: string,
  allowed: readonly string[],
  refused: readonly string[],
): string | null {
  const rule = parseRule(text);
  if (!rule) return null;
  const others = (list: readonly string[]) =>
    list.flatMap((other) => {
      const parsed = other === text ? null : parseRule(other);
      return parsed?.tool === rule.tool ? [parsed] : [];
    });
  const defeating = [...others(refused), ...(refused.includes(text) ? [rule] : [])].find((other) =>
    isCovered(rule, other),
  );
  if (defeating) return `It never applies: ${defeating.text} denies all of it.`;
  const wider = others(allowed).find((other) => isCovered(rule, other));
  return wider ? `It adds nothing: ${wider.text} already allows all of it.` : null;
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
