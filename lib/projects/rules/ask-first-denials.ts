import { findProgram } from '@/lib/commands/catalog/catalog';
import { meansCommand } from '@/lib/commands/decide';
import { findVerb } from '@/lib/commands/match';
import { literal, parseCommandRule } from '@/lib/commands/rule';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { expandRules } from './placeholders';
import { coversCommand, parseRule, plainWords } from './rule';

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
 * `Bash(docker restart:*)`, too. One that allows a single command in another spelling of the rule's is
 * denied in that spelling: `Bash(systemctl restart web)` denies `Bash(systemctl restart web.service:*)`.
 *
 * @param services give the values of placeholders in `allowed`
 */
export function askFirstDenials(
  askFirst: readonly string[],
  allowed: readonly string[],
  services: readonly ServiceSpec[],
): string[] {
  const single = singleCommands(allowed, services);
  const denials = askFirst.flatMap((rule) => {
    const words = plainWords(rule);
    if (!words) return [rule];
    const isOpen = allowed.some((each) => leavesOpen(each, words[0]));
    const denial = `Bash(${(isOpen ? verbWords(words) : words).join(' ')}:*)`;
    return [denial, ...otherSpellings(rule, denial, single)];
  });
  return [...new Set(denials)];
}

interface SingleCommand {
  text: string;
  argv: readonly string[];
}

/** The commands that allowed rules spell out, as the agent's CLI gets them. */
function singleCommands(
  allowed: readonly string[],
  services: readonly ServiceSpec[],
): SingleCommand[] {
  return expandRules(allowed, services).flatMap((each) => {
    const form = parseRule(each)?.form;
    const parsed = parseCommandRule(each);
    if (form?.kind !== 'exact' || !parsed.ok) return [];
    const { program, words } = parsed.rule;
    const argv = [program, ...words.flatMap((word) => literal(word) ?? [])];
    return argv.length > words.length ? [{ text: form.text, argv }] : [];
  });
}

function otherSpellings(rule: string, denial: string, single: readonly SingleCommand[]): string[] {
  const asking = parseCommandRule(rule);
  const denying = parseRule(denial);
  if (!asking.ok || !denying) return [];
  return single.flatMap(({ text, argv }) =>
    meansCommand(asking.rule, argv) && !coversCommand(denying, text) ? [`Bash(${text}:*)`] : [],
  );
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
