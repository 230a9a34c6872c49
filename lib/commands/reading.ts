/**
 * Which commands only read. It answers two questions that are not the same:
 *
 * - `onlyReads`, `readsOnly`: can a line, or a program, have changed something, here or elsewhere? What
 *   isn't known counts as changing.
 * - `isAutoAllowed`: does the agent's CLI run a command without a rule? The CLI also looks at
 *   where a command reads; `tests/cli/try-command.test.ts` compares the answer with both versions.
 */

import { findEntry, findProgram } from './catalog/catalog';
import type { VerbEntry } from './catalog/entry';
import { judgeOf, readsAnything } from './catalog/text-tools';
import type { OptionRule } from './rule';
import { type Redirection, readShell, type ShellCommand } from './shell-command';
import { type CommandForm, commandForm, type FormOption } from './spelling';

/** Those that take files look only inside the work directory. */
const READ_FILES = [
  ...['ls', 'cat', 'grep', 'find', 'head', 'tail', 'sort', 'wc', 'sed', 'diff', 'jq', 'cut'],
  ...['column', 'nl', 'uniq', 'du', 'tree'],
];

/** Whether a line of shell can only read. */
export function onlyReads(line: string): boolean {
  const { commands, nested } = readShell(line);
  if (nested.length > 0 || commands.length === 0) return false;
  return commands.every((command) => isReading(withoutTimeout(command)) || isCd(command));
}

/** Whether the CLI runs one simple command without a rule. */
export function isAutoAllowed(command: ShellCommand): boolean {
  const reader = withoutTimeout(command);
  const [program = '', ...args] = reader.words;
  if (command.hasExpansion || !isReading(reader) || !needsNoRule(program, args)) return false;
  const files = command.redirections.flatMap(({ operator, target }) =>
    operator === '<' && target !== NULL_DEVICE ? [target] : [],
  );
  return ![...(READ_FILES.includes(program) ? args : []), ...files].some(leavesWorkDir);
}

/** Returns whether an argument is an absolute path, one with `..`, or a home directory. */
export function leavesWorkDir(argument: string): boolean {
  return /^["']?(\/|~|\.\.(\/|$))/.test(argument) || argument.includes('/../');
}

const NULL_DEVICE = '/dev/null';

/** Whether it writes nothing: it joins two streams, drops one, or reads. */
export function isHarmlessRedirection({ operator, target }: Redirection): boolean {
  switch (operator) {
    case '>':
    case '>>':
    case '>|':
    case '&>':
    case '&>>':
      return target === NULL_DEVICE;
    case '>&':
      return /^\d+$/.test(target) || target === NULL_DEVICE;
    case '<&':
      return /^\d+$/.test(target);
    case '<':
      // bash opens a connection for /dev/tcp/host/port.
      return target !== '' && !/^\/dev\/(tcp|udp)\//.test(target);
    case '<<<':
      return true;
    default:
      return false;
  }
}

function isReading({ words, redirections, hasExpansion }: ShellCommand): boolean {
  const [program, ...args] = words;
  if (program === undefined || !redirections.every(isHarmlessRedirection)) return false;
  // A variable may hold an option, or name a connection to read from.
  if (hasExpansion && (!readsAnything(program) || redirections.length > 0)) return false;
  return readsOnly(program, args);
}

/** Whether a program with these arguments can only read. What the catalog doesn't know may change something. */
export function readsOnly(program: string, args: readonly string[]): boolean {
  const judge = judgeOf(program);
  if (judge) return judge(args);
  if (needsNoRule(program, args)) return true;
  const entry = findEntry(program);
  if (!entry) return false;
  // Of these programs the options aren't known.
  if (findProgram(program) === null) {
    return entry.verbs.some(({ words, changes }) => !changes && args.join(' ') === words.join(' '));
  }
  const form = commandForm(program, args);
  const { verb, options } = form;
  const shown = form.entry?.readingOptions ?? [];
  const isAlone = verb === null && form.operands.length === 0 && entry.listsAlone === true;
  if (!isAlone && (!verb || verb.changes)) return false;
  const isHarmless = options.every(
    (option) => isOneOf(option, verb?.options ?? []) || isOneOf(option, shown),
  );
  return isHarmless && !(verb?.runsStatements && runsMore(verb, form));
}

/** Whether the agent's CLI runs it without a rule. */
function needsNoRule(program: string, args: readonly string[]): boolean {
  if (judgeOf(program)) return true;
  const verbs = findEntry(program)?.verbs ?? [];
  return verbs.some(
    ({ words, needsNoRule: isFree }) => isFree && words.every((word, at) => args[at] === word),
  );
}

/** An option that takes one of a few values may be set to these alone. */
function isOneOf({ given, known, values }: FormOption, options: readonly OptionRule[]): boolean {
  return options.some(({ names, value }) => {
    if (!(known?.names ?? [given]).some((name) => names.includes(name))) return false;
    const [part] = value ?? [];
    const placeholder = part && 'placeholder' in part ? part.placeholder : null;
    return (
      placeholder?.kind !== 'oneOf' || values.every((each) => placeholder.words.includes(each))
    );
  });
}

function runsMore(verb: VerbEntry, { operands, options }: CommandForm): boolean {
  const words = operands.slice(verb.words.length).map((word) => word ?? '');
  const given = options.map(({ given, values }) => ({ option: given, value: values[0] ?? null }));
  return verb.refuses?.(words, given, []) != null;
}

function isCd({ words, redirections }: ShellCommand): boolean {
  return words[0] === 'cd' && redirections.every(isHarmlessRedirection);
}

/** `timeout 5 docker ps` is judged as `docker ps`. */
function withoutTimeout(command: ShellCommand): ShellCommand {
  const [program, span, ...words] = command.words;
  const isPlain = program === 'timeout' && /^[\d.]+[smhd]?$/.test(span ?? '');
  return isPlain ? { ...command, words } : command;
}
