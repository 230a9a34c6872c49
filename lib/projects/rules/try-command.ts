/**
 * What would become of a command line under a tier's rules, and by which of them. It says what the
 * CLI was measured to do (2.1.197 and 2.1.330, permission mode dontAsk); the CLI itself decides.
 */
import { isAutoAllowed, isHarmlessRedirection, leavesWorkDir } from '@/lib/commands/reading';
import { readShell, type ShellPart } from '@/lib/commands/shell-command';
import { startedPrograms } from '@/lib/commands/started-programs';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { askFirstDenials } from './ask-first-denials';
import { expandDenials, ruleFiller } from './placeholders';
import { coversCommand, parseRule, type Rule } from './rule';

export interface RuleLists {
  tools: readonly string[];
  allowedTools: readonly string[];
  disallowedTools: readonly string[];
  /** Of an unconfined agent nothing can hold a command, so they deny it. */
  askFirstTools?: readonly string[];
}

export interface Trial {
  /** allowed: it runs; denied: nothing allows it; refused: a rule forbids it. */
  verdict: 'allowed' | 'denied' | 'refused';
  /** The rules that decided, as written; none where the CLI's own judgement did. */
  rules: string[];
  /** One sentence. */
  why: string;
  /** What the rules do not stop, although one may think so; none for most commands. */
  notes: string[];
}

/**
 * Reads the rules once, for many command lines.
 *
 * @param services fill the placeholders of the rules; a verdict names the rules as they are written
 */
export function commandJudge(
  lists: RuleLists,
  services: readonly ServiceSpec[] = [],
): (command: string) => Trial {
  const asking = askingRules(lists, services);
  const rules: ReadRules = {
    hasBash: lists.tools.includes('Bash'),
    asking,
    refused: [...bashRules(lists.disallowedTools, (rule) => expandDenials([rule])), ...asking],
    allowed: bashRules(lists.allowedTools, ruleFiller(services)),
  };
  return (command) => judge(rules, command);
}

/** The same for one command line. */
export function tryCommand(
  lists: RuleLists,
  command: string,
  services: readonly ServiceSpec[] = [],
): Trial {
  return commandJudge(lists, services)(command);
}

/** The rules for commands, with their placeholders filled in. */
interface ReadRules {
  hasBash: boolean;
  allowed: readonly Rule[];
  /** With those that ask first. */
  refused: readonly Rule[];
  asking: readonly Rule[];
}

function judge({ hasBash, allowed, refused, asking }: ReadRules, command: string): Trial {
  const said = (verdict: Trial['verdict'], why: string, rules: string[] = []): Trial => {
    const notes = verdict === 'allowed' ? passedRefusals(refused, command) : [];
    return { verdict, why, rules, notes };
  };
  const removing = refused.find(({ form }) => form.kind === 'whole');
  if (removing) {
    return said('refused', `${removing.text} removes Bash from this tier.`, [removing.text]);
  }
  if (!hasBash) {
    return said('denied', 'Bash is not among the tools of this tier, so no command runs.');
  }
  const { parts, commands, nested } = readShell(command);
  if (parts.length === 0) return said('denied', 'Enter a command.');
  const texts = parts.map(({ text }) => text);
  const refusal = refused.find((rule) => isRefusedBy(rule, command, texts));
  if (refusal && asking.includes(refusal)) {
    const why = `${refusal.text} asks first, which only works in a confined project. In this one it denies the command.`;
    return said('refused', why, [refusal.text]);
  }
  if (refusal) {
    return said('refused', `${refusal.text} denies it, even if an allowed rule matches.`, [
      refusal.text,
    ]);
  }
  const open = allowed.find(({ form }) => form.kind === 'whole');
  if (open) return said('allowed', `${open.text} allows every command.`, [open.text]);
  if (nested.length > 0) {
    const why = 'It runs a command inside another ($(…), backticks); no rule but Bash allows that.';
    return said('denied', why);
  }
  const writes = commands.flatMap(({ redirections }) => redirections);
  if (!writes.every(isHarmlessRedirection)) {
    return said('denied', 'It redirects to a file; no rule but Bash allows that.');
  }
  const verdicts = parts.map((part) => allowPart(allowed, part));
  const missing = verdicts.find(({ isAllowed }) => !isAllowed);
  if (missing) {
    const which = parts.length > 1 ? `\`${missing.text}\` has none, and every part needs one` : '';
    const why = which ? `No rule allows all of it: ${which}.` : 'No rule allows it.';
    return said('denied', `${why}${hintFor(missing)}`);
  }
  const rules = [...new Set(verdicts.flatMap(({ rule }) => rule ?? []))];
  const why =
    rules.length === 0
      ? 'It only reads inside the work directory, which needs no rule.'
      : `${rules.join(' and ')} ${rules.length > 1 ? 'allow' : 'allows'} it.`;
  return said('allowed', why, rules);
}

/** Rules that ask first deny more than they say: see `askFirstDenials`. */
function askingRules(
  { askFirstTools = [], allowedTools }: RuleLists,
  services: readonly ServiceSpec[],
): Rule[] {
  return askFirstTools.flatMap((text) =>
    askFirstDenials([text], allowedTools, services).flatMap((denial) => {
      const rule = parseRule(denial);
      return rule?.tool === 'Bash' ? [{ ...rule, text }] : [];
    }),
  );
}

function bashRules(rules: readonly string[], expand: (rule: string) => string[]): Rule[] {
  return rules.flatMap((text) =>
    expand(text).flatMap((expanded) => {
      const rule = parseRule(expanded);
      return rule?.tool === 'Bash' ? [{ ...rule, text }] : [];
    }),
  );
}

function allowPart(allowed: readonly Rule[], part: ShellPart) {
  const { text, bareText, commands } = part;
  const spellings = [text, bareText, withoutTimeout(bareText)];
  const rule = allowed.find((each) => spellings.some((spelling) => coversCommand(each, spelling)));
  const [only] = commands;
  const isAlone = only !== undefined && commands.length === 1 && !/^[({]/.test(text);
  const isCd = isAlone && only.words[0] === 'cd' && !only.words.slice(1).some(leavesWorkDir);
  const isRead = isAlone && isAutoAllowed(only);
  return { ...part, rule: rule?.text ?? null, isAllowed: rule !== undefined || isCd || isRead };
}

/** `timeout 5 docker ps` is judged as `docker ps`; other wrappers need a rule of their own. */
function withoutTimeout(part: string): string {
  return part.replace(/^timeout\s+[\d.]+[smhd]?\s+/, '');
}

/** Refusals also look behind the wrappers that they know; not into quotes, paths or subshells. */
function isRefusedBy(rule: Rule, command: string, parts: readonly string[]): boolean {
  const known = withVariables(parts);
  return [command, ...known, ...known.map(unwrapped)].some((text) => coversCommand(rule, text));
}

const WRAPPER =
  /^(?:if|then|else|elif|do|while|until|!|env|command|nohup|xargs|\w+=\S*|timeout\s+[\d.]+[smhd]?)\s+/;

function unwrapped(part: string): string {
  const inner = part.replace(WRAPPER, '');
  return inner === part ? part : unwrapped(inner);
}

/** `D=docker; $D restart web` reads as if it were written out. */
function withVariables(parts: readonly string[]): string[] {
  const values = new Map<string, string>();
  return parts.map((part) => {
    const assigned = /^(\w+)=(\S*)$/.exec(part);
    if (assigned) values.set(assigned[1] ?? '', assigned[2] ?? '');
    return part.replace(/\$(\w+)/g, (whole, name: string) => values.get(name) ?? whole);
  });
}

/** Programs that an allowed line starts in a spelling that a refusal does not see. */
function passedRefusals(refused: readonly Rule[], command: string): string[] {
  return startedPrograms(command).flatMap(({ program, args }) => {
    const plain = [program, ...args.filter((arg) => !/^--?\w[\w-]*=/.test(arg))].join(' ');
    const rule = refused.find((each) => coversCommand(each, plain));
    return rule
      ? [
          `It starts \`${plain}\`. ${rule.text} does not see that in every version of the agent: only the allowed rules hold.`,
        ]
      : [];
  });
}

function hintFor({ text, commands }: ShellPart): string {
  const [first = ''] = text.split(/\s+/);
  if (/^\w+=/.test(first)) return ' A variable in front makes it another command.';
  if (first.startsWith('(') || first.startsWith('{')) return ' A subshell is judged as a whole.';
  if (first.includes('/')) return ' A rule names the program as it is typed, with or without path.';
  if (['sh', 'bash', 'env', 'eval'].includes(first)) {
    return ` It is judged as \`${first}\`, not by what it runs.`;
  }
  const isReader = commands.every(({ words }) =>
    isAutoAllowed({
      words: words.filter((word) => !leavesWorkDir(word)),
      redirections: [],
      hasExpansion: false,
    }),
  );
  return isReader && text.split(/\s+/).some(leavesWorkDir)
    ? ' It reads outside the work directory.'
    : '';
}
