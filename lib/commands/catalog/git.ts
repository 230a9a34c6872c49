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
