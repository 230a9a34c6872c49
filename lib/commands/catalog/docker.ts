import {
  changes,
  options,
  type ProgramEntry,
  reads,
  readsFreely,
  redeploys,
  restarts,
  type VerbEntry,
} from './entry';
import { endedByExec } from './inside-container';

/** In front of its verb. A rule names the project or the file, because commands don't run in the work folder. */
const COMPOSE_VALUE_OPTIONS = [
  ...['-f', '--file', '-p', '--project-name', '--project-directory', '--env-file', '--profile'],
];

const COMPOSE_LEADING_OPTIONS = options(
  '-f|--file {path under /}',
  '-p|--project-name {word}',
  '--project-directory {path under /}',
  '--env-file {path under /}',
  '--profile {word}',
  '--ansi {word}',
  '--parallel {int}',
  '--progress {word}',
);

/** @param prefix `compose ` where it is a verb of docker */
export function composeVerbs(prefix: string): VerbEntry[] {
  return [
    reads(
      `${prefix}ls`,
      'lists the projects of the host',
      ...['-a|--all', '-q|--quiet', '--format json|table'],
    ),
    reads(
      `${prefix}ps`,
      'lists the containers of the project',
      ...['-a|--all', '-q|--quiet', '--services', '--no-trunc'],
      ...['--format json|table', '--status {word}', '--filter {text}'],
    ),
    reads(
      `${prefix}logs`,
      'shows the logs of services',
      ...['-f|--follow', '-n|--tail {word}', '--since {time}', '--until {time}'],
      ...['-t|--timestamps', '--no-color', '--no-log-prefix'],
    ),
    reads(`${prefix}top`, 'lists the processes of services'),
    reads(`${prefix}images`, 'lists the images of services', '-q|--quiet', '--format json|table'),
    restarts(`${prefix}restart`, 'restarts services', '-t|--timeout {int}', '--no-deps'),
    restarts(`${prefix}start`, 'starts services that were stopped'),
    restarts(`${prefix}stop`, 'stops services', '-t|--timeout {int}'),
    changes(`${prefix}pull`, 'downloads the images of services', '-q|--quiet'),
    {
      ...changes(
        `${prefix}up`,
        'creates and starts services',
        ...['-d|--detach', '--no-deps', '--no-build', '--wait', '--wait-timeout {int}'],
        ...['--force-recreate', '--no-recreate', '--quiet-pull', '-t|--timeout {int}'],
      ),
      cooldown: {
        action: 'restart',
        redeploysWith: { option: /^--(build|force-recreate|pull)/, example: '--build' },
      },
      risk: 'starts what the compose file says, with any access to the host that it asks for',
    },
    {
      ...restarts(
        `${prefix}down`,
        'stops and removes services',
        '--remove-orphans',
        '-t|--timeout {int}',
      ),
      risk: 'removes containers and networks of every service',
    },
  ];
}

export function composeClosedVerbs(prefix: string): VerbEntry[] {
  return [
    restarts(`${prefix}kill`, 'ends services'),
    restarts(`${prefix}rm`, 'removes services that were stopped'),
    {
      ...changes(`${prefix}exec`, 'runs a program in a service'),
      cooldown: { action: 'restart', targets: endedByExec },
    },
  ];
}

const COMPOSE_DANGERS = {
  '-f': 'names another file, which can ask for any access to the host',
  '--file': 'names another file, which can ask for any access to the host',
  '--project-directory': 'reads another folder’s files',
  '--env-file': 'reads another file, and error messages show its lines',
  '-p': 'names another project',
  '--project-name': 'names another project',
  '-v': 'deletes volumes with their data',
  '--volumes': 'deletes volumes with their data',
  '--rmi': 'deletes images',
  '--build': 'runs the build instructions of the project',
};

export const dockerCompose: ProgramEntry = {
  program: 'docker-compose',
  sameAs: { program: 'docker', words: ['compose'] },
  valueOptions: COMPOSE_VALUE_OPTIONS,
  verbs: composeVerbs(''),
  closedVerbs: composeClosedVerbs(''),
  dangers: COMPOSE_DANGERS,
};

/** `docker run --name web …` takes the place of a container. */
function nameOf(args: readonly string[]): string[] | null {
  const at = args.indexOf('--name');
  const inline = args.find((arg) => arg.startsWith('--name='))?.slice('--name='.length);
  const name = inline ?? (at === -1 ? undefined : args[at + 1]);
  return name === undefined ? null : [name];
}

export const docker: ProgramEntry = {
  program: 'docker',
  // `docker container restart /web` is `docker restart web`.
  optionalWord: 'container',
  spell: (operand) => [operand.replace(/^\//, '')],
  // It may be the beginning of a container's id, or a path.
  isPlain: (operand) => !/^[0-9a-f]+$|\//i.test(operand),
  valueOptions: COMPOSE_VALUE_OPTIONS,
  leadingOptions: [
    ...options('-H|--host {text}', '-c|--context {word}', '-l|--log-level {word}'),
    ...options('--config {path under /}', '-D|--debug', '--tls', '--tlsverify'),
    ...COMPOSE_LEADING_OPTIONS,
  ],
  closedOptions: options(
    '-f|--force',
    '-v|--volumes',
    '-s|--signal {word}',
    '-t|--time|--timeout {int}',
    '-a|--all',
    '-d|--detach',
    '-i|--interactive',
    '-u|--user {text}',
    '-e|--env {text}',
    '--env-file {path under /}',
    '-w|--workdir {text}',
    '--privileged',
    '--rmi {word}',
    '--build',
    '--remove-orphans',
  ),
  verbs: [
    readsFreely(
      'ps',
      'lists containers',
      ...['-a|--all', '-q|--quiet', '-s|--size', '-l|--latest', '--no-trunc'],
      ...['-n|--last {int}', '-f|--filter {text}', '--format {text}'],
    ),
    readsFreely(
      'logs',
      'shows the log of a container',
      ...['-f|--follow', '-n|--tail {word}', '--since {time}', '--until {time}'],
      '-t|--timestamps',
    ),
    {
      ...readsFreely(
        'inspect',
        'shows everything about a container or image',
        ...['-s|--size', '-f|--format {text}', '--type container|image|network|volume'],
      ),
      risk: 'shows the environment of containers, which often contains passwords',
    },
    readsFreely(
      'images',
      'lists images',
      ...['-a|--all', '-q|--quiet', '--digests', '--no-trunc'],
      ...['-f|--filter {text}', '--format {text}'],
    ),
    reads(
      'stats',
      'shows what containers use',
      ...['--no-stream', '-a|--all', '--no-trunc', '--format {text}'],
    ),
    reads('port', 'shows the ports of a container'),
    reads('version', 'shows versions', '--format {text}'),
    reads('diff', 'lists the files that a container has changed'),
    restarts('restart', 'restarts containers', '-t|--time|--timeout {int}', '-s|--signal {word}'),
    restarts('start', 'starts containers that were stopped'),
    restarts('stop', 'stops containers', '-t|--time|--timeout {int}', '-s|--signal {word}'),
    {
      ...changes('pull', 'downloads an image', '-q|--quiet'),
      risk: 'reaches any registry, and its name can carry data there',
    },
    {
      ...changes('exec', 'runs a program in a container', '-i|--interactive', '-t|--tty'),
      freeAfter: 2,
      cooldown: { action: 'restart', targets: endedByExec },
      risk: 'runs any program inside of the container',
    },
    ...composeVerbs('compose '),
  ],
  closedVerbs: [
    restarts('kill', 'ends containers'),
    restarts('rm', 'removes containers'),
    restarts('pause', 'freezes containers'),
    restarts('unpause', 'continues containers'),
    {
      ...redeploys('run', 'creates and starts a container'),
      cooldown: { action: 'redeploy', targets: nameOf, example: '--name' },
    },
    {
      ...restarts('service update', 'changes a service of a swarm'),
      cooldown: {
        action: 'restart',
        redeploysWith: { option: /^--image/, example: '--image=x' },
      },
    },
    redeploys('stack deploy', 'deploys a stack to a swarm'),
    ...composeClosedVerbs('compose '),
  ],
  readingOptions: [
    ...options('-H|--host {text}', '-c|--context {word}', '-l|--log-level {word}', '-D|--debug'),
    ...COMPOSE_LEADING_OPTIONS,
  ],
  dangers: {
    ...COMPOSE_DANGERS,
    '-H': 'talks to another Docker daemon',
    '--host': 'talks to another Docker daemon',
    '-c': 'talks to another Docker daemon',
    '--context': 'talks to another Docker daemon',
    '--config': 'reads settings, credentials and plugins from another folder',
    '--privileged': 'gives the process every right on the host',
    '--mount': 'mounts folders of the host',
    '--volume': 'mounts folders of the host',
    '--env-file': 'reads a file of the host',
    '-e': 'sets variables of the program',
    '--env': 'sets variables of the program',
    '-u': 'runs as another user',
    '--user': 'runs as another user',
  },
};
