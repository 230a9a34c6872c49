/** Programs that restart or redeploy something, and where in their words they say what. */
export const COOLDOWN_ACTIONS = ['restart', 'redeploy'] as const;
export type CooldownActionName = (typeof COOLDOWN_ACTIONS)[number];

interface ProgramAction {
  action: CooldownActionName;
  /** Words that may name what it is done to; empty: everything. */
  targets: string[];
}

type Reader = (args: readonly string[]) => ProgramAction | null;

const START_STOP = ['restart', 'stop', 'start', 'kill'];

const COMPOSE_OPTIONS = ['-f', '--file', '-p', '--project-name', '--profile', '--env-file'];
const DOCKER_OPTIONS = ['--context', '-c', '-H', '--host', '--config', '-l', '--log-level'];
const KUBECTL_OPTIONS = ['-n', '--namespace', '--context', '--kubeconfig', '--cluster', '--user'];
const VALUE_OPTIONS = ['-t', '--time', '--timeout', '-s', '--signal', '--scale', '-n', '--version'];

const compose: Reader = (args) => {
  const [verb, ...rest] = afterOptions(args, [...COMPOSE_OPTIONS, '--project-directory']);
  if (verb === 'up') {
    const isRebuilt = rest.some((arg) => /^--(build|force-recreate|pull)/.test(arg));
    return { action: isRebuilt ? 'redeploy' : 'restart', targets: plainWords(rest) };
  }
  const isRestart = [...START_STOP, 'down', 'rm'].includes(verb ?? '');
  return isRestart ? { action: 'restart', targets: plainWords(rest) } : null;
};

const docker: Reader = (args) => {
  const [first, ...rest] = afterOptions(args, DOCKER_OPTIONS);
  if (first === 'compose') return compose(rest);
  if (first === 'stack') return rest[0] === 'deploy' ? redeploy(rest.slice(1)) : null;
  if (first === 'service') return rest[0] === 'update' ? serviceUpdate(rest.slice(1)) : null;
  const [verb, ...targets] = first === 'container' ? rest : [first ?? '', ...rest];
  if (verb === 'run') return named(targets);
  if (!verb || ![...START_STOP, 'rm', 'unpause', 'pause'].includes(verb)) return null;
  return restartOf(targets);
};

const systemctl: Reader = (args) => {
  const [verb, ...units] = afterOptions(args, ['-H', '--host', '-M', '--machine']);
  const isRestart =
    /^(try-|reload-or-)*(restart|reload|stop|start|kill)$/.test(verb ?? '') ||
    verb === 'reload-or-restart' ||
    (/^(enable|disable|reenable|mask)$/.test(verb ?? '') && units.includes('--now'));
  return isRestart ? restartOf(units) : null;
};

const kubectl: Reader = (args) => {
  const [verb, ...rest] = afterOptions(args, KUBECTL_OPTIONS);
  if (verb === 'rollout') {
    if (rest[0] === 'restart') return restartOf(rest.slice(1));
    return rest[0] === 'undo' ? redeploy(rest.slice(1)) : null;
  }
  if (verb === 'delete' || verb === 'scale') return restartOf(rest);
  return ['apply', 'replace', 'set', 'patch', 'create'].includes(verb ?? '')
    ? redeploy(rest)
    : null;
};

const helm: Reader = (args) => {
  const [verb, ...rest] = afterOptions(args, [...KUBECTL_OPTIONS, '--kube-context']);
  const isRedeploy = ['upgrade', 'install', 'rollback', 'uninstall'].includes(verb ?? '');
  return isRedeploy ? redeploy(rest) : null;
};

const ansible: Reader = (args) => {
  const text = args.join(' ');
  const isRestart = /\bstate=["']?(restarted|reloaded|stopped|started)\b/.test(text);
  return isRestart ? { action: 'restart', targets: text.split(/[\s=,"']+/) } : null;
};

const service: Reader = ([unit, verb]) =>
  unit !== undefined && START_STOP.includes(verb ?? '') ? restartOf([unit]) : null;

const verbFirst: Reader = (args) => {
  const [verb, ...targets] = afterOptions(args, ['-c', '--configuration']);
  return [...START_STOP, 'reload'].includes(verb ?? '') ? restartOf(targets) : null;
};

const always: Reader = (args) => restartOf(args);

const READERS: Record<string, Reader> = {
  docker,
  podman: docker,
  nerdctl: docker,
  'docker-compose': compose,
  'podman-compose': compose,
  systemctl,
  kubectl,
  oc: kubectl,
  helm,
  ansible,
  'ansible-playbook': (args) => redeploy(args.flatMap((arg) => arg.split(/[,=/]/))),
  service,
  'rc-service': service,
  supervisorctl: verbFirst,
  pm2: verbFirst,
  monit: verbFirst,
  democtl: verbFirst,
  pkill: always,
  killall: always,
};

export const PROGRAMS = Object.keys(READERS);

interface Verbs {
  /** Restart or redeploy whatever is named next. */
  acting: readonly string[];
  /** Only show something, and read no file. */
  reading: readonly string[];
}

const DOCKER_VERBS: Verbs = {
  acting: ['restart', 'stop', 'start', 'kill', 'rm', 'pause', 'unpause'],
  reading: ['ps', 'logs', 'inspect', 'images'],
};
const COMPOSE_VERBS: Verbs = {
  acting: ['restart', 'stop', 'start', 'kill', 'rm', 'down', 'up', 'up --build'],
  reading: ['ps', 'logs'],
};
const DOCKER_AND_COMPOSE_VERBS: Verbs = {
  acting: [
    ...DOCKER_VERBS.acting,
    ...DOCKER_VERBS.acting.map((verb) => `container ${verb}`),
    ...COMPOSE_VERBS.acting.map((verb) => `compose ${verb}`),
    ...['service update', 'service update --image=x', 'stack deploy'],
  ],
  reading: [...DOCKER_VERBS.reading, ...COMPOSE_VERBS.reading.map((verb) => `compose ${verb}`)],
};
const KUBECTL_VERBS: Verbs = {
  acting: [
    'rollout restart',
    'rollout undo',
    'delete',
    'scale',
    'apply',
    'replace',
    'set',
    'patch',
  ],
  reading: ['get', 'describe', 'logs', 'rollout status', 'rollout history'],
};

/** What a program can do when a rule leaves its verb open: restart or redeploy, or only show. */
export const VERBS: Readonly<Record<string, Verbs>> = {
  docker: DOCKER_AND_COMPOSE_VERBS,
  podman: DOCKER_AND_COMPOSE_VERBS,
  nerdctl: DOCKER_AND_COMPOSE_VERBS,
  'docker-compose': COMPOSE_VERBS,
  'podman-compose': COMPOSE_VERBS,
  systemctl: {
    acting: ['restart', 'try-restart', 'reload', 'reload-or-restart', 'stop', 'start', 'kill'],
    reading: ['status', 'is-active', 'show', 'list-units'],
  },
  kubectl: KUBECTL_VERBS,
  oc: KUBECTL_VERBS,
  helm: {
    acting: ['upgrade', 'install', 'rollback', 'uninstall'],
    reading: ['list', 'status', 'history'],
  },
  ansible: { acting: ['all -m service -a state=restarted,name='], reading: [] },
  supervisorctl: { acting: ['restart', 'stop', 'start'], reading: ['status'] },
  pm2: { acting: ['restart', 'reload', 'stop', 'start'], reading: ['list', 'describe'] },
  monit: { acting: ['restart', 'stop', 'start'], reading: ['status'] },
  democtl: { acting: ['restart'], reading: ['status'] },
};

/** Options that take a value and may stand between a program and its verb. */
export const OPTIONS_BEFORE_VERB: readonly string[] = [
  ...COMPOSE_OPTIONS,
  ...DOCKER_OPTIONS,
  ...KUBECTL_OPTIONS,
  ...['--project-directory', '--kube-context', '-M', '--machine', '--configuration'],
];

/** Returns what `docker restart -t 5 web` and similar commands do; null for everything else. */
export function readProgram(program: string, args: readonly string[]): ProgramAction | null {
  return Object.hasOwn(READERS, program) ? (READERS[program]?.(args) ?? null) : null;
}

function serviceUpdate(args: readonly string[]): ProgramAction {
  const isImage = args.some((arg) => arg.startsWith('--image'));
  return isImage ? redeploy(args) : restartOf(args);
}

/** `docker run --name web …` takes the place of a container. */
function named(args: readonly string[]): ProgramAction | null {
  const at = args.indexOf('--name');
  const inline = args.find((arg) => arg.startsWith('--name='))?.slice('--name='.length);
  const name = inline ?? (at === -1 ? undefined : args[at + 1]);
  return name === undefined ? null : { action: 'redeploy', targets: [name] };
}

function restartOf(args: readonly string[]): ProgramAction {
  return { action: 'restart', targets: plainWords(args) };
}

function redeploy(args: readonly string[]): ProgramAction {
  return { action: 'redeploy', targets: plainWords(args) };
}

/** Leaves out options and the values of those that take one. */
function plainWords(args: readonly string[]): string[] {
  return args.filter(
    (arg, index) => !arg.startsWith('-') && !VALUE_OPTIONS.includes(args[index - 1] ?? ''),
  );
}

/** The words after options that stand in front of a subcommand. */
function afterOptions(args: readonly string[], withValue: readonly string[]): string[] {
  let index = 0;
  while (index < args.length && args[index]?.startsWith('-')) {
    index += withValue.includes(args[index] ?? '') ? 2 : 1;
  }
  return args.slice(index);
}
