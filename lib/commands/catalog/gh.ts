import { changes, options, type ProgramEntry, reads, type VerbEntry } from './entry';

/** Without `--jq`, which can show the environment of the runner. */
const LIST = ['-L|--limit {int}', '--json {text}'];

/** A number, a branch or a name; an address could name another host. */
function plainNames(operands: readonly string[]): string | null {
  const other = operands.find((operand) => !/^[A-Za-z0-9_][\w./-]*$/.test(operand));
  return other === undefined
    ? null
    : `\`${other}\` is not a number or a name. A rule has to name the whole command.`;
}

const VERBS: VerbEntry[] = [
  reads('pr list', 'lists pull requests', ...LIST, '-s|--state {word}', '--search {text}'),
  reads('pr view', 'shows a pull request', '--json {text}', '-c|--comments'),
  reads('pr status', 'shows your pull requests', '--json {text}'),
  reads('pr checks', 'shows the checks of a pull request', '--json {text}', '--watch'),
  reads('pr diff', 'shows the changes of a pull request', '--name-only', '--patch'),
  reads('run list', 'lists runs of workflows', ...LIST, '-s|--status {word}', '-b|--branch {word}'),
  reads(
    'run view',
    'shows a run of a workflow',
    '--log',
    '--log-failed',
    '--json {text}',
    '-v|--verbose',
  ),
  reads('issue list', 'lists issues', ...LIST, '-s|--state {word}', '--search {text}'),
  reads('issue view', 'shows an issue', '--json {text}', '-c|--comments'),
  {
    ...reads('repo view', 'shows the repository', '--json {text}'),
    refuses: ([other]) =>
      other === undefined ? null : `\`${other}\` is another repository. A rule has to name it.`,
  },
  changes(
    'pr create',
    'proposes a change',
    '--fill',
    '-d|--draft',
    '-t|--title {text}',
    '-b|--body {text}',
  ),
  {
    ...changes('run rerun', 'runs a workflow again', '--failed'),
    risk: 'runs what a workflow says',
  },
];

export const gh: ProgramEntry = {
  program: 'gh',
  closedOptions: options(
    '-R|--repo {text}',
    '-F|--body-file {path under /}',
    '-T|--template {text}',
    '-H|--head {word}',
    '-B|--base {word}',
    '-w|--web',
    '-q|--jq {text}',
    '-m|--merge',
    '-r|--rebase',
    '--squash',
    '--admin',
    '--auto',
    '--delete-branch',
  ),
  readingOptions: options(
    '-R|--repo {text}',
    '-q|--jq {text}',
    '-H|--head {word}',
    '-B|--base {word}',
  ),
  verbs: VERBS.map((verb) => ({ refuses: plainNames, ...verb })),
  dangers: {
    '-R': 'reaches another repository',
    '--repo': 'reaches another repository',
    '-F': 'sends any file',
    '--body-file': 'sends any file',
    '-T': 'sends any file of the repository',
    '--template': 'sends any file of the repository',
    '-w': 'starts a browser',
    '--web': 'starts a browser',
    '-H': 'proposes another branch',
    '--head': 'proposes another branch',
    '--recover': 'reads a file',
  },
};
