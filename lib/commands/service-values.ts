/**
 * What `{service}` stands for in a rule: what checks of the kind that the rule's program acts on name. A
 * container's name isn't a unit's, and a service's display name is neither.
 */
import { type CommandRule, literal, type Word } from './rule';

/** What a project's checks name, by the type of the check. */
export interface CheckTargets {
  container: readonly string[];
  service: readonly string[];
  process: readonly string[];
}

/** What a rule names after its `Bash(`, without `sudo`. */
type Named = Pick<CommandRule, 'program' | 'words' | 'options'>;
export const NO_TARGETS = { container: [], service: [], process: [] };

type Names = (rule: Named, targets: CheckTargets) => readonly string[];

/** Verbs of Docker whose operands are containers. Others act on images, volumes, networks or stacks. */
const CONTAINER_VERBS = [
  ...['attach', 'cp', 'diff', 'exec', 'inspect', 'kill', 'logs', 'pause', 'port', 'restart', 'rm'],
  ...['start', 'stats', 'stop', 'top', 'unpause', 'update', 'wait'],
];

/** Another host, container or user has units of the same names. */
const OTHER_SYSTEM =
  /^(?:-[A-Za-z]*[HMDi]|--(?:host|machine|user|user-unit|global|root|image|directory|file|namespace)(?:=|$))/;

const UNIT_TYPE = /\.(?:service|socket|target|device|mount|automount|swap|timer|path|slice|scope)$/;

/** Returns containers only where the verb comes first: an option before it could select another daemon. */
const containers: Names = ({ words }, { container }) => {
  const [first, second] = words.map(literal);
  const verb = first === 'container' ? second : first;
  return CONTAINER_VERBS.includes(verb ?? '') ? container : [];
};

/** Compose calls a container `shop-web-1` after its project and service; Compose 1 wrote `shop_web_1`. */
const composed: Names = ({ words }, { container }) => {
  const project = composeProject(words);
  if (project === null) return [];
  return container.flatMap((name) => {
    const [, rest] = name.startsWith(project)
      ? (/^[-_](.+)$/.exec(name.slice(project.length)) ?? [])
      : [];
    return /^(.+)[-_]\d+$/.exec(rest ?? '')?.[1] ?? [];
  });
};

/** Returns the one project that words of Docker Compose name; null for none, or for several. */
export function composeProject(words: readonly Word[]): string | null {
  const texts = words.map((word) => literal(word) ?? '');
  const projects = texts.flatMap((text, at) => {
    if (text === '-p' || text === '--project-name') return [texts[at + 1] ?? ''];
    return /^(?:--project-name=|-p)(.+)$/.exec(text)?.[1] ?? [];
  });
  const [only, ...others] = projects;
  return only && others.length === 0 ? only : null;
}

const docker: Names = (rule, targets) => {
  const [first = [], ...words] = rule.words;
  return literal(first) === 'compose'
    ? composed({ ...rule, words }, targets)
    : containers(rule, targets);
};

/** systemd reads `nginx` as `nginx.service`. */
const units: Names = ({ words, options }, { service }) => {
  const texts = [
    ...words.map((word) => literal(word) ?? ''),
    ...options.flatMap((each) => each.names),
  ];
  if (texts.some((text) => OTHER_SYSTEM.test(text))) return [];
  return service.flatMap((unit) => {
    if (!UNIT_TYPE.test(unit)) return [unit, `${unit}.service`];
    const short = unit.replace(/\.service$/, '');
    return short === unit || UNIT_TYPE.test(short) ? [unit] : [unit, short];
  });
};

/** They know services alone, without a type. */
const initScripts: Names = (rule, targets) =>
  units(rule, targets).filter((name) => !UNIT_TYPE.test(name));

const processes: Names = (_, { process }) => process.filter((name) => !name.includes('/'));

/** The demo's supervisor calls its services like their pid files. */
const pidFiles: Names = (_, { process }) =>
  process.flatMap((file) => /\/([^/]+)\.pid$/.exec(file)?.[1] ?? []);

interface Kind {
  /** The type of the checks whose targets count. */
  check: keyof CheckTargets;
  names: Names;
}

const CONTAINER: Kind = { check: 'container', names: docker };
const COMPOSE: Kind = { check: 'container', names: composed };
const UNIT: Kind = { check: 'service', names: units };
const INIT_SCRIPT: Kind = { check: 'service', names: initScripts };
const PROCESS: Kind = { check: 'process', names: processes };

/** In rules of every other program, `{service}` stands for nothing. */
const KINDS: Readonly<Record<string, Kind>> = {
  ...{ docker: CONTAINER, podman: CONTAINER, nerdctl: CONTAINER },
  ...{ 'docker-compose': COMPOSE, 'podman-compose': COMPOSE },
  ...{ systemctl: UNIT, journalctl: UNIT },
  ...{ service: INIT_SCRIPT, 'rc-service': INIT_SCRIPT, 'invoke-rc.d': INIT_SCRIPT },
  ...{ pgrep: PROCESS, pidof: PROCESS, pkill: PROCESS, killall: PROCESS },
  democtl: { check: 'process', names: pidFiles },
};

/** Starts with a letter or digit, so that no name reads as an option of a program. */
export const SAFE_WORD = /^[A-Za-z0-9][\w.@-]*$/;
/** A rule with one of these is more than one command for a shell. */
const SHELL_SYNTAX = /[;&|<>()`$\n]/;

/**
 * Returns what `{service}` stands for in a rule, each once:
 *
 *     docker restart {service}                   targets of container checks
 *     docker compose -p shop restart {service}   web, for the container shop-web-1
 *     systemctl restart {service}                targets of service checks
 *     kubectl delete deployment/{service}        nothing: no check names a deployment
 */
export function serviceValues(rule: Named, targets: CheckTargets): readonly string[] {
  const named = withoutSudo(rule);
  const kind = named && kindOf(named.program);
  if (!kind || named.words.some((word) => SHELL_SYNTAX.test(literal(word) ?? ''))) return [];
  return [...new Set(kind.names(named, targets))].filter((name) => SAFE_WORD.test(name));
}

/** Returns the type of the checks that fill `{service}` in rules of a program; null if none can. */
export function fillingCheck(rule: Named): keyof CheckTargets | null {
  const named = withoutSudo(rule);
  return (named && kindOf(named.program)?.check) ?? null;
}

function kindOf(program: string): Kind | null {
  return (Object.hasOwn(KINDS, program) && KINDS[program]) || null;
}

/** Returns the rule without sudo; null if an option follows it, such as one for another user. */
function withoutSudo(rule: Named): Named | null {
  if (rule.program !== 'sudo' && rule.program !== 'doas') return rule;
  const words = rule.words.slice(literal(rule.words[0] ?? []) === '-n' ? 1 : 0);
  const program = literal(words[0] ?? []);
  return program === null || program.startsWith('-')
    ? null
    : { ...rule, program, words: words.slice(1) };
}
