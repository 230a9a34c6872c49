/**
 * Whether a shell line can only read: the commands that the agent's CLI runs without a rule
 * (`cli-contract`, section 6), told from their words. What is not sure counts as changing.
 */
import { readShell } from '../cooldowns/shell-command';

type Judge = (args: readonly string[]) => boolean;

const always: Judge = () => true;

function without(...forbidden: RegExp[]): Judge {
  return (args) => !args.some((arg) => forbidden.some((pattern) => pattern.test(arg)));
}

function onlySubcommands(names: readonly string[], rest: Judge = always): Judge {
  return ([name, ...args]) => name !== undefined && names.includes(name) && rest(args);
}

const noWords: Judge = (args) => args.every((arg) => arg.startsWith('-'));

const READERS: Record<string, Judge> = {
  ls: always,
  cat: always,
  grep: always,
  find: without(/^-(delete|exec|execdir|ok|okdir|fls|fprint.*)$/),
  head: always,
  tail: always,
  sort: without(/^-[a-zA-Z]*[oT]/, /^--(output|temporary-directory|compress-program)/),
  wc: always,
  sed: (args) => isPrintingSed(args),
  diff: always,
  jq: always,
  which: always,
  stat: always,
  date: without(/^-[a-zA-Z]*s/, /^--set/, /^\d/),
  uname: always,
  hostname: without(/^[^-]/, /^-[a-zA-Z]*[Fb]/, /^--(file|boot)/),
  id: always,
  whoami: always,
  ps: always,
  df: always,
  free: always,
  uptime: always,
  ss: without(/^-[a-zA-Z]*[KD]/, /^--(kill|diag)/),
  ip: (args) => isShowingIp(args),
  lsof: always,
  sleep: always,
  echo: always,
  pwd: noWords,
  true: always,
  git: onlySubcommands(['status', 'log', 'diff'], without(/^--(output|ext-diff|textconv)/)),
  docker: onlySubcommands(['ps', 'logs', 'inspect', 'images']),
  // The demo agent's own.
  democtl: onlySubcommands(['status']),
};

export function isReadOnlyCommand(line: string): boolean {
  const { commands, nested, redirects } = readShell(line);
  if (redirects || nested.length > 0 || commands.length === 0) return false;
  return commands.every(([program, ...args]) => {
    if (program === undefined) return false;
    if (program === 'xargs') return args[0] === 'echo';
    return Object.hasOwn(READERS, program) && READERS[program]?.(args) === true;
  });
}

/** `sed -n 1,20p file`: prints lines and nothing else; `w`, `e` and `-i` write or run. */
function isPrintingSed([flag, script, ...files]: readonly string[]): boolean {
  if (flag !== '-n' || script === undefined) return false;
  return /^[\d,$ ]*p$/.test(script) && files.every((file) => !file.startsWith('-'));
}

function isShowingIp(args: readonly string[]): boolean {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const isBatch = args.some((arg) => /^-(b|batch|force|n|netns)/.test(arg));
  if (isBatch || words.length === 0) return false;
  return words[1] === undefined || ['show', 'list', 'ls', 'get'].includes(words[1]);
}
