/**
 * The programs whose verbs are known: what changes something, counts for cooldowns, or runs without a rule.
 * Another one is an entry in this folder and a line below.
 */
import { ansible, ansiblePlaybook } from './ansible';
import { curl } from './curl';
import { psql, redisCli } from './databases';
import { composeClosedVerbs, composeVerbs, docker, dockerCompose } from './docker';
import { changes, options, type ProgramEntry, reads, restarts } from './entry';
import { gh, git } from './git';
import { helm } from './helm';
import { df, dig, ping, ps, ss } from './host';
import { kubectl } from './kubectl';
import { journalctl, systemctl } from './systemctl';

// Programs whose options aren't known, so that no open rule allows anything of them.

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

const CLOSED_PROGRAMS: readonly ProgramEntry[] = [
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

export const CATALOG: readonly ProgramEntry[] = [
  ansible,
  ansiblePlaybook,
  curl,
  df,
  dig,
  docker,
  dockerCompose,
  gh,
  git,
  helm,
  journalctl,
  kubectl,
  ping,
  ps,
  psql,
  redisCli,
  ss,
  systemctl,
];

/** With those whose options aren't known. */
export const ENTRIES: readonly ProgramEntry[] = [...CATALOG, ...CLOSED_PROGRAMS];

const BY_NAME = new Map(CATALOG.map((entry) => [entry.program, entry]));
const ALL_BY_NAME = new Map(ENTRIES.map((entry) => [entry.program, entry]));

export function findEntry(program: string): ProgramEntry | null {
  return ALL_BY_NAME.get(program) ?? null;
}

/** Returns a program of which open rules can allow something. */
export function findProgram(program: string): ProgramEntry | null {
  return BY_NAME.get(program) ?? null;
}

/**
 * Returns the program and words by which commands of a program are compared: `docker compose` for
 * docker-compose.
 */
export function comparedProgram(name: string): {
  program: string;
  entry: ProgramEntry | null;
  words: readonly string[];
} {
  const entry = findProgram(name);
  if (!entry?.sameAs) return { program: name, entry, words: [] };
  const { program, words } = entry.sameAs;
  return { program, entry: findProgram(program), words };
}
