/**
 * Programs that the agent's CLI runs without a rule, as long as they only read. Measured with both versions;
 * `tests/cli/try-command.test.ts` compares.
 */

/** Whether these arguments only read. */
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
const JUDGES: Record<string, Judge> = {
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
  xargs: ([first]) => first === 'echo',
};

/** Judges that take any argument, also one that is known only when the line runs. */
export function readsAnything(program: string): boolean {
  return judgeOf(program) === always;
}

/** Returns null for a program that needs a rule, or that the catalog lists by its verbs. */
export function judgeOf(program: string): Judge | null {
  return (Object.hasOwn(JUDGES, program) && JUDGES[program]) || null;
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
