/** Programs whose options aren't known, so that no open rule allows anything of them. */
import { docker } from './docker';
import { composeClosedVerbs, composeVerbs } from './docker-compose';
import { changes, options, type ProgramEntry, reads, restarts } from './entry';
import { kubectl } from './kubectl';

/** A program with the verbs of another one, for which the agent's CLI asks for a rule. */
function like(entry: ProgramEntry, program: string): ProgramEntry {
  return { ...entry, program, verbs: entry.verbs.map(({ needsNoRule: _, ...verb }) => verb) };
}

function supervisor(program: string, ...reading: string[]): ProgramEntry {
  return {
    program,
    leadingOptions: options('-c|--configuration {text}'),
    verbs: [
      ...reading.map((verb) => reads(verb, 'shows services')),
      ...['restart', 'stop', 'start', 'kill', 'reload'].map((verb) =>
        restarts(verb, 'changes services'),
      ),
    ],
    dangers: {},
  };
}

/** `service web restart`. */
function initScripts(program: string): ProgramEntry {
  const targets = ([unit, verb = '']: readonly string[]) =>
    unit !== undefined && ['restart', 'stop', 'start', 'kill'].includes(verb) ? [unit] : null;
  const verb = changes('', 'runs the script of a service');
  return { program, verbs: [{ ...verb, cooldown: { action: 'restart', targets } }], dangers: {} };
}

function ending(program: string): ProgramEntry {
  return { program, verbs: [restarts('', 'ends processes by their names')], dangers: {} };
}

export const CLOSED_PROGRAMS: readonly ProgramEntry[] = [
  ...[like(docker, 'podman'), like(docker, 'nerdctl'), like(kubectl, 'oc')],
  {
    ...{ program: 'podman-compose', verbs: composeVerbs(''), closedVerbs: composeClosedVerbs('') },
    ...{ leadingOptions: docker.leadingOptions ?? [], dangers: {} },
  },
  ...['service', 'rc-service'].map(initScripts),
  ...[supervisor('supervisorctl', 'status'), supervisor('pm2', 'list', 'describe')],
  ...[supervisor('monit', 'status'), supervisor('democtl', 'status')],
  ...['pkill', 'killall'].map(ending),
];
