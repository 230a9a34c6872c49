import { findProgram } from '@/lib/commands/catalog/catalog';
import { isTextTool } from '@/lib/commands/inside';
import { type CommandRule, parseCommandRule, verbOf } from '@/lib/commands/rule';

/**
 * Returns what to know about an allowed rule in a confined project, where the command broker
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
  const folder = neededFolder(rule);
  if (folder) return `It finds none of its files: commands run in an empty folder. ${folder}`;
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

/**
 * Returns what to know about a rule that asks first and names no operand: every command of its verb, or of
 * its program, waits then. Null for one that names an operand, and for an open rule that names its verb.
 */
export function askFirstScope(text: string): string | null {
  if (!/^Bash\(/.test(text.trim())) return null;
  const parsed = parseCommandRule(text);
  if (!parsed.ok) return null;
  const { program, words, isOpen } = parsed.rule;
  const verb = verbOf(parsed.rule);
  const verbs = findProgram(program)?.verbs ?? [];
  const covered = verbs.filter((each) => verb.every((word, at) => each.words[at] === word));
  if (words.length > verb.length || covered.length === 0) return null;
  const every = `Every \`${[program, ...verb].join(' ')}\` command that a rule allows waits for approval`;
  const [only, ...others] = covered;
  if (others.length === 0) {
    return isOpen || only?.words.length === 0 ? null : `${every}: it names no operand.`;
  }
  const reading = covered.find(({ changes }) => !changes);
  const example = reading && `\`${[program, ...reading.words].join(' ')}\``;
  return `${every}${example ? `, even one that only reads, such as ${example}` : ''}. Name a verb and its operands to ask about less.`;
}

/** Returns what to write instead, for a rule whose command reads the folder that it runs in. */
function neededFolder({ program, words, options }: CommandRule): string | null {
  const texts = words.map((word) => (word[0] && 'text' in word[0] ? word[0].text : ''));
  const names = [...texts, ...options.flatMap((option) => option.names)];
  const hasOption = (...expected: string[]) =>
    names.some((name) => expected.some((each) => name === each || name.startsWith(`${each}=`)));
  const isCompose =
    program === 'docker-compose' || (program === 'docker' && texts[0] === 'compose');
  if (isCompose && texts.at(-1) !== 'ls') {
    return hasOption('-p', '--project-name', '-f', '--file')
      ? null
      : 'Name the project, such as docker compose -p shop restart web.';
  }
  if (program === 'git') {
    return hasOption('-C', '--git-dir')
      ? null
      : 'In the sandbox, git works in the work folder without a rule, and without the network.';
  }
  if (program === 'gh' && texts[0] !== 'api') {
    return hasOption('-R', '--repo')
      ? null
      : 'Name the repository, such as gh pr list -R acme/shop.';
  }
  return null;
}
