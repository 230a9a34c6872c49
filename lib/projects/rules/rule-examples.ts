/** Commands that a rule allows and refuses, as the command broker decides about them. */
import { findProgram } from '@/lib/commands/catalog/catalog';
import { decideCommand } from '@/lib/commands/decide';
import { findVerb } from '@/lib/commands/match';
import {
  type CommandRule,
  type OptionRule,
  parseCommandRule,
  verbOf,
  type Word,
} from '@/lib/commands/rule';
import { composeProject } from '@/lib/commands/service-values';
import type { CommandPlace, Placeholder } from '@/lib/commands/values';

export interface RuleExample {
  command: string;
  /** Null: the rule allows it. */
  refusal: string | null;
}

/** The values that examples are made of. */
const HOST = 'db.example.com';
const URL_OF_CHECK = 'https://status.example.com/';
const WORK_DIR = '/project';
const PLACE: CommandPlace = { cwd: WORK_DIR, workDir: WORK_DIR, realPath: (file) => file };

/**
 * Returns commands around a rule, each with what the broker decides about it; the allowed ones first.
 * Empty for a rule that the broker can't use.
 */
export function ruleExamples(text: string): RuleExample[] {
  const parsed = parseCommandRule(text);
  if (!/^Bash\(/.test(text.trim()) || !parsed.ok) return [];
  const { rule } = parsed;
  const rules = { allowed: [rule], denied: [], askFirst: [] };
  const known = { targets: targetsFor(rule), host: [HOST], url: [URL_OF_CHECK] };
  const decided = candidates(rule).map((argv): RuleExample => {
    const decision = decideCommand(rules, argv, { known, place: PLACE });
    const refusal = decision.verdict === 'refused' ? decision.message : null;
    return { command: argv.join(' '), refusal };
  });
  const isOther = ({ command }: RuleExample, at: number) =>
    decided.findIndex((each) => each.command === command) === at;
  const examples = decided.filter(isOther);
  return [
    ...examples.filter(({ refusal }) => refusal === null),
    ...examples.filter(({ refusal }) => refusal !== null),
  ];
}

/** A service in a container, a unit and a process of its name. */
function targetsFor({ words }: CommandRule) {
  const project = composeProject(words);
  return {
    container: ['web', ...(project === null ? [] : [`${project}-web-1`])],
    service: ['web'],
    process: ['web'],
  };
}

function candidates(rule: CommandRule): string[][] {
  const base = [rule.program, ...rule.words.map(sample)];
  const entry = findProgram(rule.program);
  const verb = entry ? findVerb(entry, verbOf(rule)) : null;
  const named = rule.options[0];
  const harmless = verb?.options[0];
  const danger = Object.keys(entry?.dangers ?? {})[0];
  return [
    base,
    ...(named ? [[...base, ...given(named)]] : []),
    ...(harmless ? [[...base, ...given(harmless)]] : []),
    [...base, 'web'],
    ...(danger ? [[...base, danger]] : []),
  ];
}

function given({ names, value }: OptionRule): string[] {
  return [names.at(-1) ?? '', ...(value === null ? [] : [sample(value)])];
}

function sample(word: Word): string {
  return word.map((part) => ('text' in part ? part.text : sampleOf(part.placeholder))).join('');
}

function sampleOf(placeholder: Placeholder): string {
  switch (placeholder.kind) {
    case 'service':
      return 'web';
    case 'host':
      return HOST;
    case 'url':
      return URL_OF_CHECK;
    case 'int':
      return '20';
    case 'time':
      return '10:00';
    case 'path':
      return `${placeholder.dir.replace(/\/$/, '')}/file`;
    case 'oneOf':
      return placeholder.words[0] ?? '';
    default:
      return 'name';
  }
}
