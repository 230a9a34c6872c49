/** Commands that the CLI runs without any rule, because it judges them to change nothing. */

const PROGRAMS = [
  ...['ls', 'cat', 'grep', 'find', 'head', 'tail', 'sort', 'wc', 'sed', 'diff', 'jq', 'which'],
  ...['stat', 'date', 'uname', 'hostname', 'id', 'whoami', 'ps', 'df', 'free', 'uptime', 'ss'],
  ...['ip', 'lsof', 'sleep', 'echo', 'pwd', 'tree'],
];

const SUBCOMMANDS: Record<string, readonly string[]> = {
  git: ['status', 'log', 'diff'],
  docker: ['ps', 'logs', 'inspect', 'images'],
};

/** Those that take files look only inside the work directory. */
const READS_FILES = [
  'ls',
  'cat',
  'grep',
  'find',
  'head',
  'tail',
  'sort',
  'wc',
  'sed',
  'diff',
  'jq',
];

/** One simple command, without operators, substitutions or redirections. */
export function isReadOnly(command: string): boolean {
  const [program = '', ...args] = command.trim().split(/\s+/);
  if (program === 'xargs') return args[0] === 'echo';
  const subcommands = Object.hasOwn(SUBCOMMANDS, program) ? SUBCOMMANDS[program] : undefined;
  if (subcommands) return subcommands.includes(args[0] ?? '');
  if (!PROGRAMS.includes(program)) return false;
  if (READS_FILES.includes(program) && args.some(leavesWorkDir)) return false;
  if (program === 'find') return !args.some((arg) => /^-(delete|exec|execdir|ok|fprint)/.test(arg));
  if (program === 'sed') return args.includes('-n') && !args.some((arg) => arg.startsWith('-i'));
  return true;
}

/** An absolute path, one that goes up, or a home directory. */
export function leavesWorkDir(argument: string): boolean {
  return /^["']?(\/|~|\.\.(\/|$))/.test(argument) || argument.includes('/../');
}
