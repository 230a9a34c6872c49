/** What the rule editor offers of the catalog of programs. */
import { CATALOG } from '@/lib/commands/catalog/catalog';
import type { VerbEntry } from '@/lib/commands/catalog/entry';
import type { OptionRule, Word } from '@/lib/commands/rule';
import type { Placeholder } from '@/lib/commands/values';
import { canBeFilled } from './placeholders';

export interface OfferedVerb {
  /** `docker compose ps` */
  command: string;
  /** What it does: `lists containers`. */
  about: string;
  changes: boolean;
  /** What an open rule allows beyond what its author may expect; null: nothing. */
  risk: string | null;
  /** Options that an open rule accepts: `-n, --tail {int}`. */
  options: string[];
  /**
   * To begin with: open where the verb only reads, otherwise for what checks of the project name, or with
   * nothing behind the verb where they name nothing of its kind.
   */
  rule: string;
}

export interface OfferedProgram {
  program: string;
  verbs: OfferedVerb[];
  /** Options that no open rule accepts, with what they do. */
  dangers: { option: string; does: string }[];
}

export function offeredPrograms(): OfferedProgram[] {
  return CATALOG.map(({ program, verbs, dangers }) => ({
    program,
    verbs: verbs.map((verb) => offered(program, verb)),
    dangers: Object.entries(dangers).map(([option, does]) => ({ option, does })),
  }));
}

function offered(program: string, verb: VerbEntry): OfferedVerb {
  const { about, changes, risk } = verb;
  const command = [program, ...verb.words].join(' ');
  return {
    ...{ command, about, changes, risk },
    options: verb.options.map(optionText),
    rule: changes ? ruleOf(command) : `Bash(${command}:*)`,
  };
}

function ruleOf(command: string): string {
  const rule = `Bash(${command} {service})`;
  return canBeFilled(rule) ? rule : `Bash(${command})`;
}

function optionText({ names, value }: OptionRule): string {
  return [names.join(', '), ...(value === null ? [] : [valueText(value)])].join(' ');
}

function valueText(value: Word): string {
  return value
    .map((part) => ('text' in part ? part.text : placeholderText(part.placeholder)))
    .join('');
}

function placeholderText(placeholder: Placeholder): string {
  if (placeholder.kind === 'oneOf') return placeholder.words.join('|');
  return placeholder.kind === 'path' ? `{path under ${placeholder.dir}}` : `{${placeholder.kind}}`;
}
