import { changes, options, type ProgramEntry, reads, restarts, type VerbEntry } from './entry';
import { endedByExec } from './inside-container';

/** In front of its verb. A rule names the project or the file, because commands don't run in the work folder. */
export const COMPOSE_VALUE_OPTIONS = [
  ...['-f', '--file', '-p', '--project-name', '--project-directory', '--env-file', '--profile'],
];

export const COMPOSE_LEADING_OPTIONS = options(
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

export const COMPOSE_DANGERS = {
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
