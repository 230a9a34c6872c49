import {
  changes,
  type GivenOption,
  options,
  type ProgramEntry,
  reads,
  redeploys,
  restarts,
  type VerbEntry,
} from './entry';
import { endedByExec } from './inside-container';

const SCOPE = ['-n|--namespace {word}'];
const NAMESPACE = ['-n', '--namespace', '-A', '--all-namespaces'];
const SHOWN = ['-o|--output name|wide', '--no-headers', '--show-labels', '-l|--selector {text}'];

/** Secrets under any of their names: `secret`, `pods,secrets`, `secret/db`. */
const SECRET = /(^|,)(secrets?|all)(\.[\w.]*)?($|[,/])/i;

/** The last one counts for kubectl, so a second one would undo what a rule names. */
function oneNamespace(given: readonly GivenOption[]): string | null {
  const scopes = given.filter(({ option }) => NAMESPACE.includes(option));
  return scopes.length > 1 ? 'Name the namespace once.' : null;
}

function noSecrets(operands: readonly string[]): string | null {
  const found = operands.find((operand) => SECRET.test(operand));
  return found === undefined ? null : `\`${found}\` would show secrets, which no open rule covers.`;
}

/** Kinds of resources by the names that kubectl accepts, with their short ones. A cluster can have others. */
const KINDS = [
  ...['pod po', 'deployment deploy', 'daemonset ds', 'statefulset sts', 'replicaset rs', 'job'],
  ...['cronjob cj', 'replicationcontroller rc', 'podtemplate', 'controllerrevision'],
  ...['service svc', 'endpoint ep', 'endpointslice', 'ingress ing', 'ingressclass'],
  ...['networkpolicy netpol', 'configmap cm', 'secret', 'serviceaccount sa', 'namespace ns'],
  ...['node no', 'event ev', 'lease', 'componentstatus cs', 'persistentvolume pv'],
  ...['persistentvolumeclaim pvc', 'storageclass sc', 'volumeattachment', 'csidriver', 'csinode'],
  ...['csistoragecapacity', 'horizontalpodautoscaler hpa', 'poddisruptionbudget pdb'],
  ...['resourcequota quota', 'limitrange limits', 'priorityclass pc', 'runtimeclass'],
  ...['role', 'rolebinding', 'clusterrole', 'clusterrolebinding'],
  ...['customresourcedefinition crd crds', 'apiservice', 'certificatesigningrequest csr'],
  ...['mutatingwebhookconfiguration', 'validatingwebhookconfiguration'],
  ...['validatingadmissionpolicy', 'validatingadmissionpolicybinding', 'flowschema'],
  'prioritylevelconfiguration',
].map((names) => names.split(' '));

const KIND_OF = new Map(
  KINDS.flatMap(([kind = '', ...short]) =>
    [kind, plural(kind), ...short].map((name) => [name, kind] as const),
  ),
);

function plural(kind: string): string {
  if (kind.endsWith('y')) return `${kind.slice(0, -1)}ies`;
  return /s$/.test(kind) ? `${kind}es` : `${kind}s`;
}

/**
 * `deploy/web` and `deployments.apps web` are `deployment web`; `pods,svc` are two kinds. In lower case,
 * as kubectl reads kinds, also those that it learns from the cluster.
 */
function spell(operand: string): readonly string[] {
  return operand
    .toLowerCase()
    .split(/[,/]/)
    .map((word) => KIND_OF.get(word.replace(/\..*$/s, '')) ?? word);
}

/** Options whose values name no workload. */
const OTHER_VALUES = [
  ...['-n', '--namespace', '--context', '--cluster', '--user', '--kubeconfig', '-s', '--server'],
  ...['--as', '--as-group', '--token', '--request-timeout', '--timeout', '--replicas', '-o'],
  ...['--output', '--to-revision', '--grace-period', '--cascade', '--field-manager', '-c'],
  ...['--current-replicas', '--resource-version', '--dry-run', '-p', '--patch', '--type'],
];
/** What goes with everything in it. */
const WHOLE = ['namespace', 'node'];

/**
 * Returns the workloads that `deployment web`, `deploy/web api` or `pods --all` name; none for all
 * of a kind or of a namespace, and an unknown one beside what a selector names.
 */
function workloads(args: readonly string[]): string[] {
  const selectors = args.flatMap((arg, at) => {
    const [, inline] = /^(?:-l|--selector|--field-selector)(?:=?(.*))$/s.exec(arg) ?? [];
    return inline === undefined ? [] : [inline || (args[at + 1] ?? '')];
  });
  // What one leaves out says nothing about what it selects.
  if (selectors.length > 0) {
    return ['*', ...selectors.filter((text) => !/!|\bnotin\b/.test(text))];
  }
  if (args.some((arg) => ['--all', '-A', '--all-namespaces'].includes(arg))) return [];
  const operands = args.filter(
    (arg, at) =>
      !arg.startsWith('-') && !arg.includes('=') && !OTHER_VALUES.includes(args[at - 1] ?? ''),
  );
  const kinds = operands.flatMap((operand) => spell(operand));
  if (kinds.some((kind) => WHOLE.includes(kind))) return [];
  const isName = (word: string) =>
    !word.split(',').every((part) => KIND_OF.has(part.toLowerCase().replace(/\..*$/s, '')));
  return operands.flatMap((operand, at) => {
    const [kind = '', name] = operand.split('/');
    if (name !== undefined) return [name];
    // The first word is a kind, also one that only the cluster knows.
    return at > 0 || operands.length === 1 ? [kind].filter(isName) : [];
  });
}

/** A verb that restarts or redeploys what `workloads` finds in its arguments. */
function onWorkloads(verb: VerbEntry): VerbEntry {
  return verb.cooldown ? { ...verb, cooldown: { ...verb.cooldown, targets: workloads } } : verb;
}

const FILES = ['-f|--filename {path under .}', '-k|--kustomize {path under .}'];

const VERBS: VerbEntry[] = [
  {
    ...reads(
      'get',
      'lists resources',
      ...[...SCOPE, ...SHOWN, '-A|--all-namespaces', '--field-selector {text}'],
      ...['--sort-by {text}', '-w|--watch', '--ignore-not-found'],
    ),
    refuses: noSecrets,
  },
  {
    ...reads('describe', 'shows resources and their events', ...SCOPE, '-l|--selector {text}'),
    refuses: noSecrets,
  },
  reads(
    'logs',
    'shows the logs of pods',
    ...[...SCOPE, '--tail {int}', '--since {time}', '--since-time {time}', '-f|--follow'],
    ...['-c|--container {word}', '-p|--previous', '--timestamps', '--prefix'],
    ...['-l|--selector {text}', '--all-containers'],
  ),
  reads('top', 'shows what pods or nodes use', ...SCOPE, '-A|--all-namespaces', '--no-headers'),
  reads(
    'rollout status',
    'shows how a rollout proceeds',
    ...SCOPE,
    '--timeout {time}',
    '-w|--watch',
  ),
  reads('rollout history', 'lists the revisions of a rollout', ...SCOPE, '--revision {int}'),
  reads('version', 'shows versions', '--client', '-o|--output json|yaml'),
  reads('api-resources', 'lists the kinds of resources', '--namespaced', '-o|--output name|wide'),
  onWorkloads(restarts('rollout restart', 'restarts the pods of a resource', ...SCOPE)),
  onWorkloads(
    redeploys('rollout undo', 'goes back to an earlier revision', ...SCOPE, '--to-revision {int}'),
  ),
  changes('rollout pause', 'pauses a rollout', ...SCOPE),
  changes('rollout resume', 'resumes a rollout', ...SCOPE),
  onWorkloads(
    restarts(
      'scale',
      'changes the number of pods',
      ...SCOPE,
      '--replicas {int}',
      '--timeout {time}',
    ),
  ),
  {
    ...redeploys('apply', 'applies a manifest', ...SCOPE, ...FILES, '--server-side', '--wait'),
    risk: 'creates whatever the manifest says, including pods with any right on their node',
  },
  {
    ...onWorkloads(restarts('delete', 'deletes resources', ...SCOPE, '--wait', '--timeout {time}')),
    risk: 'deletes any resource, including volumes with their data',
  },
];

export const kubectl: ProgramEntry = {
  program: 'kubectl',
  spell,
  closedOptions: options(
    '-n|--namespace {word}',
    '-A|--all-namespaces',
    '--context {word}',
    '--cluster {word}',
    '--user {word}',
    '--kubeconfig {path under /}',
    '-s|--server {text}',
    '--as {text}',
    '--as-group {text}',
    '--token {text}',
    '--request-timeout {time}',
    '-f|--filename {path under /}',
    '-k|--kustomize {path under /}',
    '-R|--recursive',
    '-l|--selector {text}',
    '--field-selector {text}',
    '-o|--output {text}',
    '-c|--container {word}',
    '-i|--stdin',
    '-t|--tty',
    '-p|--patch {text}',
    '--type {word}',
    '--replicas {int}',
    '--all',
    '--now',
    '--force',
    '--wait',
    '--timeout {time}',
    '--grace-period {int}',
    '--cascade',
    '--dry-run',
    '--overwrite',
    '--ignore-not-found',
    '--ignore-daemonsets',
    '--delete-emptydir-data',
  ),
  verbs: VERBS.map((verb) => ({
    ...verb,
    refuses: (operands, given, added) =>
      oneNamespace(given) ?? verb.refuses?.(operands, given, added) ?? null,
  })),
  closedVerbs: [
    redeploys('replace', 'replaces resources'),
    onWorkloads(redeploys('set', 'changes parts of resources')),
    onWorkloads(redeploys('patch', 'changes fields of resources')),
    redeploys('create', 'creates resources'),
    {
      ...changes('exec', 'runs a program in a pod'),
      cooldown: { action: 'restart', targets: endedByExec },
    },
  ],
  readingOptions: options(
    ...['-n|--namespace {word}', '-A|--all-namespaces', '--context {word}', '--cluster {word}'],
    ...[
      '--user {word}',
      '-s|--server {text}',
      '--as {text}',
      '--as-group {text}',
      '--token {text}',
    ],
    ...[
      '--request-timeout {time}',
      '-f|--filename {text}',
      '-R|--recursive',
      '-l|--selector {text}',
    ],
    ...['--field-selector {text}', '-o|--output {text}', '-c|--container {word}'],
  ),
  dangers: {
    '--kubeconfig': 'reads another configuration, which can start any program',
    '--context': 'switches to another cluster',
    '--cluster': 'switches to another cluster',
    '--user': 'uses another account',
    '--as': 'acts as another account',
    '--as-group': 'acts as another account',
    '--token': 'uses another account',
    '-s': 'talks to another server',
    '--server': 'talks to another server',
    '--insecure-skip-tls-verify': 'talks to a server that nobody has checked',
    '--raw': 'reads anything of the cluster, including secrets',
    '--template': 'reads a file',
    '--cache-dir': 'writes to another folder',
    '--profile': 'writes a file',
    '--profile-output': 'writes a file',
    '-f': 'reads a file or an address',
    '--filename': 'reads a file or an address',
    '-o': 'can show everything of a resource, or read a file',
    '--output': 'can show everything of a resource, or read a file',
  },
};
