import { findProgram } from '@/lib/commands/catalog/catalog';
import { findVerb } from '@/lib/commands/match';
import { plainWords } from './plain-words';
import { parseRule } from './rule';

/** One whose values the project doesn't list. */
const HAS_FREE_PLACEHOLDER = /\{(?!service\}|host\}|url\})[a-z]/;

/**
 * Returns the denied rules that stand for rules that ask first, where nothing can hold a command.
 * Whoever gets them compares texts, so they deny everything that begins with a rule's plain words:
 *
 *     Bash(docker restart [--time {int}] {service})   denies   Bash(docker restart:*)
 *
 * An allowed rule that leaves something of the program open also allows other spellings of the
 * operands and options before them. Then the whole verb is denied: `Bash(docker restart web)` denies
 * `Bash(docker restart:*)`, too.
 */
export function askFirstDenials(askFirst: readonly string[], allowed: readonly string[]): string[] {
  const denials = askFirst.map((rule) => {
    const words = plainWords(rule);
    if (!words) return rule;
    const isOpen = allowed.some((each) => leavesOpen(each, words[0]));
    return `Bash(${(isOpen ? verbWords(words) : words).join(' ')}:*)`;
  });
  return [...new Set(denials)];
}

/** The program and its verb. Of a verb that isn't in the catalog, only the first word is certain. */
function verbWords([program, ...args]: [string, ...string[]]): string[] {
  const entry = findProgram(program);
  const verb = entry && findVerb(entry, args);
  return [program, ...args.slice(0, verb ? verb.words.length : 1)];
}

/** Whether an allowed rule allows more than one text that begins with the program. */
function leavesOpen(allowed: string, program: string): boolean {
  const rule = parseRule(allowed);
  if (rule?.tool !== 'Bash') return false;
  const { form } = rule;
  if (form.kind === 'whole') return true;
  const [first = ''] = form.text.split(/\s+/);
  if (first.includes('*')) return true;
  return first === program && (form.kind !== 'exact' || HAS_FREE_PLACEHOLDER.test(form.text));
}
