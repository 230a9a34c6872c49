/** What commands count as for cooldowns, and where in their words they say what they act on. */
import { ENTRIES, findEntry } from './catalog/catalog';
import type { CooldownActionName, ProgramEntry, VerbEntry } from './catalog/entry';
import { treeOf, type VerbNode } from './option-index';

interface CountedAction {
  action: CooldownActionName;
  /** Words that may name what it is done to; empty: everything. */
  targets: string[];
}

/** Options that take a value behind a verb. */
const VALUE_OPTIONS = ['-t', '--time', '--timeout', '-s', '--signal', '--scale', '-n', '--version'];

/** The programs of which something counts. */
export const COUNTED_PROGRAMS = ENTRIES.filter((entry) =>
  allVerbs(entry).some(({ cooldown }) => cooldown),
).map(({ program }) => program);

/** Returns what `docker restart -t 5 web` and similar commands do; null for everything else. */
export function countedAction(program: string, args: readonly string[]): CountedAction | null {
  const entry = findEntry(program);
  const { verb, rest } = entry ? givenVerb(entry, args) : { verb: null, rest: [] };
  if (!verb?.cooldown) return null;
  const { action, redeploysWith, targets = plainWords } = verb.cooldown;
  const found = targets(rest);
  if (found === null) return null;
  const isRedeploy = rest.some((arg) => redeploysWith?.option.test(arg));
  return { action: isRedeploy ? 'redeploy' : action, targets: found };
}

/**
 * Returns the verbs of a program with the arguments that matter, as a rule may leave them open: those that
 * count for cooldowns, or those that only read.
 */
export function verbsOf(program: string, kind: 'counted' | 'reading'): string[] {
  const entry = findEntry(program);
  if (!entry) return [];
  if (kind === 'reading') {
    return entry.verbs.flatMap((verb) => (verb.changes ? [] : nonEmpty(verb.words.join(' '))));
  }
  return allVerbs(entry).flatMap(({ words, cooldown }) => {
    if (!cooldown) return [];
    const { example, redeploysWith } = cooldown;
    const verb = words.join(' ');
    const given = [example ? `${verb} ${example}`.trim() : verb];
    if (redeploysWith) given.push(`${verb} ${redeploysWith.example}`);
    const isShort = entry.optionalWord !== undefined && words.length === 1;
    return [
      ...given,
      ...(isShort ? given.map((each) => `${entry.optionalWord} ${each}`) : []),
    ].flatMap(nonEmpty);
  });
}

function nonEmpty(text: string): string[] {
  return text === '' ? [] : [text];
}

/** Returns the words of a command without its options and the values of those in front of the verb. */
export function wordsOf(program: string, args: readonly string[]): string[] {
  const entry = findEntry(program);
  const valued = entry ? valuedBefore(entry) : new Set<string>();
  return args.filter((arg, at) => !arg.startsWith('-') && !valued.has(args[at - 1] ?? ''));
}

function allVerbs({ verbs, closedVerbs = [] }: ProgramEntry): readonly VerbEntry[] {
  return [...verbs, ...closedVerbs];
}

/** Returns the verb and what follows it. Options before the verb and between its words are skipped. */
function givenVerb(
  entry: ProgramEntry,
  args: readonly string[],
): { verb: VerbEntry | null; rest: readonly string[] } {
  const valued = valuedBefore(entry);
  let node: VerbNode = treeOf(allVerbs(entry));
  let at = 0;
  while (node.next.size > 0) {
    while (args[at]?.startsWith('-')) at += valued.has(args[at] ?? '') ? 2 : 1;
    const word = args[at] ?? '';
    const next = node.next.get(word);
    if (!next && (word !== entry.optionalWord || at + 1 >= args.length)) break;
    node = next ?? node;
    at += 1;
  }
  return { verb: node.verb, rest: args.slice(at) };
}

function valuedBefore({
  valueOptions = [],
  leadingOptions = [],
  closedOptions = [],
}: ProgramEntry) {
  const known = [...leadingOptions, ...closedOptions].filter(({ value }) => value !== null);
  return new Set([...valueOptions, ...known.flatMap(({ names }) => names)]);
}

/** Leaves out options and the values of those that take one. */
function plainWords(args: readonly string[]): string[] {
  return args.filter(
    (arg, at) => !arg.startsWith('-') && !VALUE_OPTIONS.includes(args[at - 1] ?? ''),
  );
}
