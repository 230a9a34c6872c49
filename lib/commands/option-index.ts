/** The verbs and options of a program by name. */
import type { ProgramEntry, VerbEntry } from './catalog/entry';
import type { OptionRule } from './rule';

export interface VerbNode {
  /** The verb that ends here. */
  verb: VerbEntry | null;
  next: Map<string, VerbNode>;
}

type Options = ReadonlyMap<string, OptionRule>;

export interface OptionIndex {
  root: VerbNode;
  leading: Options;
  closed: Options;
  /** Those that take a value, whatever the verb. */
  agreed: Options;
  ofVerb(verb: VerbEntry): Options;
  /** Options that take a value, of any verb. */
  valued: ReadonlySet<string>;
}

const NONE: OptionIndex = indexOf({ program: '', verbs: [], dangers: {} });
const INDEXES = new WeakMap<ProgramEntry, OptionIndex>();

export function optionIndex(entry: ProgramEntry | null): OptionIndex {
  if (!entry) return NONE;
  const known = INDEXES.get(entry) ?? indexOf(entry);
  INDEXES.set(entry, known);
  return known;
}

function indexOf(entry: ProgramEntry): OptionIndex {
  const { verbs, valueOptions = [], leadingOptions = [], closedOptions = [] } = entry;
  const ofVerbs = new Map(verbs.map((verb) => [verb, byName(verb.options)]));
  const all = verbs.flatMap(({ options }) => options);
  const isFlag = new Set(all.filter(({ value }) => value === null).flatMap(({ names }) => names));
  const valued = byName(all.filter(({ value }) => value !== null));
  return {
    root: treeOf(verbs),
    leading: byName(leadingOptions),
    closed: byName(closedOptions),
    agreed: new Map([...valued].filter(([name]) => !isFlag.has(name))),
    ofVerb: (verb) => ofVerbs.get(verb) ?? new Map(),
    valued: new Set([...valueOptions, ...valued.keys()]),
  };
}

function byName(options: readonly OptionRule[]): Options {
  return new Map(options.flatMap((option) => option.names.map((name) => [name, option] as const)));
}

export function treeOf(verbs: readonly VerbEntry[]): VerbNode {
  const root: VerbNode = { verb: null, next: new Map() };
  for (const verb of verbs) {
    let node = root;
    for (const word of verb.words) {
      const next = node.next.get(word) ?? { verb: null, next: new Map() };
      node.next.set(word, next);
      node = next;
    }
    node.verb = verb;
  }
  return root;
}
