/** Whether a tier's rules allow an argv. */
import { findProgram } from './catalog/catalog';
import type { ProgramEntry } from './catalog/entry';
import { hasKnownOptions, hasPlainValue, isComparable, isMeant, isOfSameVerb } from './compare';
import { type Match, type MatchContext, type Mismatch, matchRule } from './match';
import { readsOnly } from './reading';
import { type CommandRule, literal, type Word } from './rule';
import { type CommandForm, commandForm, ruleForm } from './spelling';
import { type CommandPlace, type Placeholder, resolved } from './values';

/** Placeholders whose values neither the project nor the rule lists. */
const FREE: readonly Placeholder['kind'][] = ['word', 'text', 'time'];

export interface CommandRules {
  allowed: readonly CommandRule[];
  /** They override allowed rules. */
  denied: readonly CommandRule[];
  /** What they allow needs a person's approval. They override allowed rules, too. */
  askFirst: readonly CommandRule[];
}

export type RefusalCode =
  | 'not_runnable'
  | 'denied_by_rule'
  | 'no_rule'
  | 'option_not_named'
  | 'argument_not_allowed';

export type CommandDecision =
  | {
      verdict: 'allowed';
      /** As written. */
      rule: string;
      /** The rule that names the arguments, as written: another one may ask for approval. */
      namedBy: string;
      /** To run: the program's name, and its arguments with the real paths of files. */
      argv: readonly string[];
      /** Whether the command may change something outside of the work folder. */
      changes: boolean;
      /** Whether a person has to approve it first. */
      needsApproval: boolean;
    }
  | { verdict: 'refused'; code: RefusalCode; rule: string | null; message: string };

/** @param argv the program's name, without a path, and its arguments */
export function decideCommand(
  { allowed, denied, askFirst }: CommandRules,
  argv: readonly string[],
  context: MatchContext,
): CommandDecision {
  const [program = '', ...args] = argv;
  if (!/^[A-Za-z0-9_][\w.+-]*$/.test(program) || argv.some((arg) => arg.includes('\0'))) {
    const message = 'The program is not a plain name, so no rule can allow it.';
    return { verdict: 'refused', code: 'not_runnable', rule: null, message };
  }
  const entry = findProgram(program);
  const command = commandForm(program, args);
  const denying = denied.find((rule) => isMeant(ruleForm(rule), command));
  if (denying) return denial(denying);
  const own = [...askFirst, ...allowed].filter((rule) => rule.program === program);
  const tried = own.map((rule) => ({ rule, match: matchRule(rule, args, entry, context) }));
  const matching = tried.flatMap(({ rule, match }) => (match.ok ? [{ rule, match }] : []));
  const [first] = matching;
  if (first) {
    const { rule, match } = first;
    const files = match.args.filter((arg, at) => arg !== args[at]).map(fileIn);
    const ofFiles = commandForm(program, match.args);
    const denyingFile = denied.find((each) => {
      const named = files.length > 0 ? withRealPaths(each, files, context.place) : null;
      return named !== null && isMeant(ruleForm(named), ofFiles);
    });
    if (denyingFile) return denial(denyingFile);
    const changes = match.verb?.changes ?? !readsOnly(program, match.args);
    const isNamed = matching.some((each) => namesCommand(each.rule, command));
    // Asking too often is safer than too rarely: an option that only another rule names changes nothing.
    const asking = askFirst.includes(rule)
      ? rule
      : askFirst.find((each) => {
          const asked = ruleForm(each);
          return isMeant(asked, command) || (!isNamed && isOfSameVerb(asked, command));
        });
    return {
      verdict: 'allowed',
      rule: (asking ?? rule).text,
      namedBy: rule.text,
      argv: [program, ...match.args],
      changes,
      needsApproval: asking !== undefined,
    };
  }
  return refusal(program, entry, tried);
}

function denial({ text }: CommandRule): CommandDecision {
  const message = `${text} denies it, even if an allowed rule matches.`;
  return { verdict: 'refused', code: 'denied_by_rule', rule: text, message };
}

/** The path in `--file=/srv/a.yml`, or in a word of its own. */
function fileIn(arg: string): string {
  return arg.replace(/^-[^/]*?=?(?=\/)/s, '');
}

/**
 * Returns the rule with the real paths of these files in place of the words that lead to them; null if
 * none does. Rules are written for the work folder, and in doubt for the agent's folder.
 */
function withRealPaths(
  rule: CommandRule,
  files: readonly string[],
  { cwd, workDir, realPath }: CommandPlace,
): CommandRule | null {
  const words = rule.words.map((word): Word => {
    const text = literal(word);
    if (text === null) return word;
    const [, option = '', path = ''] = /^(--?[^=/]+=|-[A-Za-z](?=.))?(.*)$/s.exec(text) ?? [];
    const found = [workDir, cwd]
      .map((folder) => realPath(resolved(folder, path)))
      .find((file) => file !== null && files.includes(file));
    return found ? [{ text: `${option}${found}` }] : word;
  });
  return words.every((word, at) => word === rule.words[at]) ? null : { ...rule, words };
}

/** Whether a rule that asks first or denies is about a command in any of its spellings. */
export function meansCommand(
  rule: CommandRule,
  [program = '', ...args]: readonly string[],
): boolean {
  return isMeant(ruleForm(rule), commandForm(program, args));
}

/**
 * Whether an allowed rule is about this command and no other spelling. One with a placeholder for any
 * word isn't, unless the catalog knows the spellings of what the command gives.
 */
function namesCommand({ isOpen, words, options }: CommandRule, command: CommandForm): boolean {
  const values = options.map(({ value }) => value ?? []);
  // Which file it is depends on the agent's folder.
  const hasPath = [...words, ...values].some((word) => hasPlaceholder(word, ['path']));
  if (isOpen || hasPath || !hasKnownOptions(command)) return false;
  if (words.some((word) => hasPlaceholder(word, FREE))) return isComparable(command);
  const free = options.filter(({ value }) => value && hasPlaceholder(value, ['word', 'text']));
  return command.options
    .filter(({ known }) =>
      free.some(({ names }) => known?.names.some((name) => names.includes(name))),
    )
    .every((option) => hasPlainValue(option, command.entry));
}

function hasPlaceholder(word: Word, kinds: readonly Placeholder['kind'][]): boolean {
  return word.some((part) => 'placeholder' in part && kinds.includes(part.placeholder.kind));
}

function refusal(
  program: string,
  entry: ProgramEntry | null,
  tried: readonly { rule: CommandRule; match: Match }[],
): CommandDecision {
  const [nearest] = tried
    .flatMap(({ rule, match }) => (match.ok ? [] : [{ rule, ...match }]))
    .toSorted((one, other) => other.at - one.at);
  if (!nearest) {
    const message = `No rule of this tier names ${program}.`;
    return { verdict: 'refused', code: 'no_rule', rule: null, message };
  }
  const { rule, mismatch } = nearest;
  const code = codeOf(mismatch);
  return {
    verdict: 'refused',
    code,
    rule: rule.text,
    message: sentence(program, entry, rule, mismatch),
  };
}

function codeOf({ kind }: Mismatch): RefusalCode {
  if (kind === 'option_not_named') return 'option_not_named';
  const isOther = kind === 'missing' || kind === 'verb_unknown' || kind === 'program_unknown';
  return isOther ? 'no_rule' : 'argument_not_allowed';
}

function sentence(
  program: string,
  entry: ProgramEntry | null,
  rule: CommandRule,
  mismatch: Mismatch,
): string {
  switch (mismatch.kind) {
    case 'option_not_named': {
      const { option } = mismatch;
      const danger = entry?.dangers[option];
      return `No rule of this tier names the option ${quoted(option)} of ${program}${danger ? `, which ${danger}` : ''}.`;
    }
    case 'option_value': {
      const { option, value } = mismatch;
      return value === null
        ? `The option ${quoted(option)} has no value.`
        : `${rule.text} doesn’t allow the value ${quoted(value)} for ${quoted(option)}.`;
    }
    case 'argument':
      return `${rule.text} doesn’t allow the argument ${quoted(mismatch.argument)}.`;
    case 'missing':
      return `Arguments of ${rule.text} are missing.`;
    case 'program_unknown':
      return `${rule.text} is open, and ${program} is not in the catalog. Write the whole command, with {word} for the parts that vary.`;
    case 'verb_unknown':
      return `${rule.text} is open, and ${quoted(`${program} ${mismatch.verb}`.trim())} is not in the catalog. A rule has to name the whole command.`;
    case 'operands':
      return mismatch.why;
  }
}

const SHOWN_CHARACTERS = 80;

function quoted(text: string): string {
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return `\`${shown}\``;
}
