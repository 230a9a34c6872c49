import { findProgram } from '@/lib/commands/catalog/catalog';
import { isTextTool } from '@/lib/commands/inside';
import { parseCommandRule, verbOf } from '@/lib/commands/rule';

/**
 * Returns what to know about an allowed rule in a tier with isolation, where the command broker
 * matches it against arguments; null if nothing.
 */
export function brokeredWarning(text: string): string | null {
  if (!/^Bash(?:$|\()/.test(text.trim())) return null;
  const parsed = parseCommandRule(text);
  if (!parsed.ok) return `In the sandbox it allows no command outside. ${parsed.problem}`;
  const { rule } = parsed;
  if (isTextTool(rule.program)) {
    return `${rule.program} stays in the sandbox, where it needs no rule.`;
  }
  if (!rule.isOpen) return null;
  const entry = findProgram(rule.program);
  if (!entry) {
    return `It allows nothing outside the sandbox: Tierwatch doesn’t know the options of ${rule.program}. Write the whole command, with {word} for the parts that vary.`;
  }
  const verb = verbOf(rule);
  const risks = entry.verbs
    .filter(({ words }) => verb.every((word, at) => words[at] === undefined || words[at] === word))
    .flatMap(({ words, risk }) =>
      risk ? `\`${[rule.program, ...words].join(' ')}\` ${risk}` : [],
    );
  return risks.length === 0 ? null : `It covers more than it seems to: ${risks.join('; ')}.`;
}
