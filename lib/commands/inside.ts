import type { CommandRules } from './decide';

/**
 * Programs that only read and write what they are given. They stay in the sandbox, where pipes and
 * the agent's own files are.
 */
const TEXT_TOOLS = new Set([
  ...['awk', 'basename', 'bash', 'bc', 'cat', 'cd', 'chmod', 'cmp', 'column', 'comm', 'cp', 'cut'],
  ...['date', 'diff', 'dirname', 'du', 'echo', 'egrep', 'env', 'expr', 'false', 'fgrep', 'file'],
  ...['find', 'fold', 'fmt', 'grep', 'gunzip', 'gzip', 'head', 'jq', 'less', 'ln', 'ls', 'md5sum'],
  ...[
    'mkdir',
    'more',
    'mv',
    'nl',
    'od',
    'paste',
    'perl',
    'pr',
    'printf',
    'pwd',
    'python',
    'python3',
  ],
  ...['readlink', 'realpath', 'rev', 'rg', 'rm', 'sed', 'seq', 'sh', 'sha256sum', 'sleep', 'sort'],
  ...[
    'stat',
    'strings',
    'tac',
    'tail',
    'tar',
    'tee',
    'test',
    'time',
    'timeout',
    'touch',
    'tr',
    'true',
  ],
  ...['tsort', 'type', 'uniq', 'unzip', 'wc', 'which', 'xargs', 'xxd', 'yq', 'zcat'],
]);

/** Whether a program stays in the sandbox, whatever rules name it. */
export function isTextTool(program: string): boolean {
  return TEXT_TOOLS.has(program);
}

/**
 * Returns the names of the programs that the command broker runs for these rules: those that a rule
 * names, except text tools.
 */
export function brokeredPrograms({ allowed, denied, askFirst }: CommandRules): string[] {
  const named = [...allowed, ...denied, ...askFirst].map(({ program }) => program);
  return [...new Set(named)].filter((program) => !isTextTool(program)).sort();
}
