import { changes, options, type ProgramEntry, reads, type VerbEntry } from './entry';

/**
 * Inside the sandbox, git needs no rule. Outside it, git runs programs that the repository's
 * configuration names, and the agent can write that configuration. So open rules only allow commands
 * that need the network.
 */
const RISK = 'runs programs that the repository’s configuration names, which the agent can write';

/** A URL, a helper program or a folder instead of the name of a remote. */
const PLACE = /::|^[a-z+]+:\/\/|^[^/]+:|^\.{0,2}\/|^\.{1,2}$|^~/i;
/** Forces (`+x`), deletes (`:x`) or renames (`x:main`). */
const REWRITES = /^\+|:/;

function ofRemote(verb: VerbEntry): VerbEntry {
  return {
    ...verb,
    risk: RISK,
    refuses([remote, ...refs]) {
      if (remote !== undefined && PLACE.test(remote)) {
        return `\`${remote}\` is not the name of a remote.`;
      }
      const other = refs.find((ref) => REWRITES.test(ref));
      return other === undefined
        ? null
        : `\`${other}\` forces, renames or deletes a branch. A rule has to name the whole command.`;
    },
  };
}

export const git: ProgramEntry = {
  program: 'git',
  leadingOptions: options(
    '-c {text}',
    '--config-env {text}',
    '-C {path under /}',
    '--git-dir {path under /}',
    '--work-tree {path under /}',
    '--namespace {word}',
  ),
  closedOptions: options(
    '-f|--force',
    '--force-with-lease',
    '-d|--delete',
    '--mirror',
    '--tags',
    '--all',
    '--exec|--receive-pack {text}',
    '--upload-pack {text}',
  ),
  verbs: [
    ofRemote(reads('fetch', 'downloads commits', '--prune', '--tags', '--all', '-q|--quiet')),
    ofRemote(reads('ls-remote', 'lists branches of a remote', '--heads', '--tags', '-q|--quiet')),
    ofRemote(changes('push', 'uploads commits', '-u|--set-upstream', '-q|--quiet')),
  ],
  dangers: {
    '-c': 'changes settings, which can name programs',
    '--config-env': 'changes settings, which can name programs',
    '-C': 'works in another folder',
    '--git-dir': 'works on another repository',
    '--work-tree': 'works on another folder',
    '--exec-path': 'runs programs of another folder',
    '--upload-pack': 'runs any program',
    '--receive-pack': 'runs any program',
    '--exec': 'runs any program',
    '-f': 'overwrites the branch',
    '--force': 'overwrites the branch',
    '--force-with-lease': 'overwrites the branch',
    '--mirror': 'overwrites every branch',
    '-d': 'deletes a branch',
    '--delete': 'deletes a branch',
  },
};

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
