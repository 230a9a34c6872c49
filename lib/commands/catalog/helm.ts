import { options, type ProgramEntry, reads, redeploys } from './entry';

const SCOPE = ['-n|--namespace {word}'];
const OUTPUT = '-o|--output table|json|yaml';
const RISK = 'installs what a chart says, and runs its hooks';

/** A chart of the agent's own, or from a registry of its choice. */
function onlyKnownCharts(_operands: unknown, _given: unknown, added: readonly string[]) {
  const other = added.find((operand) => !/^[A-Za-z0-9][\w-]*(\/[\w-]+)?$/.test(operand));
  return other === undefined
    ? null
    : `\`${other}\` is not a chart of a repository that the host knows. A rule has to name it.`;
}

export const helm: ProgramEntry = {
  program: 'helm',
  // `./chart` is `chart`. Another path may lead to the same chart.
  spell: (operand) => [operand.replace(/^(\.\/+)+/, '')],
  isPlain: (operand) => !/[/\\]|^\.+$/.test(operand),
  closedOptions: options(
    '-n|--namespace {word}',
    '--kube-context {word}',
    '--kubeconfig {path under /}',
    '--kube-apiserver {text}',
    '--kube-token {text}',
    '--kube-as-user {text}',
    '-f|--values {path under /}',
    '--set {text}',
    '--set-string {text}',
    '--set-file {text}',
    '--repo {text}',
    '--version {word}',
    '--post-renderer {path under /}',
    '-i|--install',
    '--create-namespace',
    '--force',
    '--atomic',
    '--wait',
    '--timeout {time}',
    '--dry-run',
    '--debug',
    '--no-hooks',
    '--cleanup-on-fail',
    '--keep-history',
  ),
  verbs: [
    reads(
      'list',
      'lists releases',
      ...SCOPE,
      OUTPUT,
      '-A|--all-namespaces',
      '-a|--all',
      '-q|--short',
    ),
    reads('status', 'shows the state of a release', ...SCOPE, '--revision {int}'),
    reads('history', 'lists the revisions of a release', ...SCOPE, OUTPUT, '--max {int}'),
    reads('version', 'shows the version', '--short'),
    {
      ...redeploys(
        'rollback',
        'goes back to an earlier revision',
        ...SCOPE,
        '--wait',
        '--timeout {time}',
      ),
      risk: 'runs the hooks of the release',
    },
    {
      ...redeploys(
        'upgrade',
        'upgrades a release',
        ...[
          ...SCOPE,
          '--reuse-values',
          '--atomic',
          '--wait',
          '--timeout {time}',
          '--version {word}',
        ],
      ),
      risk: RISK,
      refuses: onlyKnownCharts,
    },
    {
      ...redeploys('install', 'installs a chart', ...SCOPE, '--wait', '--timeout {time}'),
      risk: RISK,
      refuses: onlyKnownCharts,
    },
    {
      ...redeploys('uninstall', 'removes a release', ...SCOPE, '--wait'),
      risk: 'deletes a release',
    },
  ],
  readingOptions: options(
    ...['-n|--namespace {word}', '--kube-context {word}', '--debug', '-o|--output {text}'],
  ),
  dangers: {
    '--post-renderer': 'runs any program',
    '--kubeconfig': 'reads another configuration, which can start any program',
    '--kube-context': 'switches to another cluster',
    '--kube-apiserver': 'talks to another server',
    '--kube-token': 'uses another account',
    '--kube-as-user': 'acts as another account',
    '-f': 'reads a file',
    '--values': 'reads a file',
    '--set-file': 'reads a file',
    '--set': 'changes any value of the chart',
    '--repo': 'takes the chart from another place',
    '--repository-config': 'reads another configuration',
    '--registry-config': 'reads credentials from another file',
    '--output-dir': 'writes files',
    '--debug': 'shows values, which may contain passwords',
  },
};
