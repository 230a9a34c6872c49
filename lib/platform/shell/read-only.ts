/**
 * Which commands only read. It answers two questions that are not the same:
 *
 * - `onlyReads`: can a line have changed something, here or elsewhere? What isn't known counts as
 *   changing.
 * - `isAutoAllowed`: does the agent's CLI run a command without a rule? The CLI also looks at
 *   where a command reads; `tests/cli/try-command.test.ts` compares the answer with both versions.
 */
import { type Redirection, readShell, type ShellCommand } from './shell-command';

type Judge = (args: readonly string[]) => boolean;

const always: Judge = () => true;

function without(...forbidden: RegExp[]): Judge {
  return (args) => !args.some((arg) => forbidden.some((pattern) => pattern.test(arg)));
}

function onlySubcommands(names: readonly string[], rest: Judge = always): Judge {
  return ([name, ...args]) => name !== undefined && names.includes(name) && rest(args);
}

const noWords: Judge = (args) => args.every((arg) => arg.startsWith('-'));

/** Long options can be abbreviated, so their beginnings are refused. */
const READERS: Record<string, Judge> = {
  ls: always,
  cat: always,
  grep: always,
  find: without(/^-(delete|exec|execdir|ok|okdir|fls|fprint.*)$/),
  head: always,
  tail: always,
  sort: without(/^-[a-zA-Z]*[oT]/, /^--(o|t|co)/),
  wc: always,
  sed: (args) => isPrintingSed(args),
  diff: always,
  jq: always,
  cut: always,
  tr: always,
  column: always,
  nl: always,
  // The second file is written to.
  uniq: (args) => args.filter((arg) => !arg.startsWith('-')).length < 2,
  tree: without(/^-[a-zA-Z]*o/, /^--o/),
  du: always,
  which: always,
  stat: always,
  date: without(/^-[a-zA-Z]*s/, /^--s/, /^\d/),
  uname: always,
  hostname: without(/^[^-]/, /^-[a-zA-Z]*[Fb]/, /^--[fb]/),
  id: always,
  whoami: always,
  ps: always,
  df: always,
  free: always,
  uptime: always,
  ss: without(/^-[a-zA-Z]*[KD]/, /^--[kd]/),
  ip: (args) => isShowingIp(args),
  lsof: always,
  sleep: always,
  echo: always,
  printf: without(/^-v/),
  pwd: noWords,
  test: always,
  '[': always,
  true: always,
  false: always,
  git: onlySubcommands(['status', 'log', 'diff'], without(/^--(ou|ext|text)/)),
  docker: onlySubcommands(['ps', 'logs', 'inspect', 'images']),
  xargs: ([first]) => first === 'echo',
  // The demo agent's own.
  democtl: onlySubcommands(['status']),
};

/** Only read, and the CLI asks for a rule all the same. */
const NEED_A_RULE = ['democtl'];

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
  if (command.hasExpansion || !isReading(reader) || NEED_A_RULE.includes(program)) return false;
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
  const judge = Object.hasOwn(READERS, program) ? READERS[program] : undefined;
  if (!judge) return false;
  // A variable may hold an option, or name a connection to read from.
  if (hasExpansion && (judge !== always || redirections.length > 0)) return false;
  return judge(args);
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

/** `sed -n 1,20p file` and `sed -n /x/p file`: `w`, `e` and `-i` write or run. */
function isPrintingSed([flag, script, ...files]: readonly string[]): boolean {
  if (flag !== '-n' || script === undefined) return false;
  return /^([\d,$ ]*|\/[^/\\]*\/)p$/.test(script) && files.every((file) => !file.startsWith('-'));
}

function isShowingIp(args: readonly string[]): boolean {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const isBatch = args.some((arg) => /^-(b|batch|force|n|netns)/.test(arg));
  if (isBatch || words.length === 0) return false;
  return words[1] === undefined || ['show', 'list', 'ls', 'get'].includes(words[1]);
}
