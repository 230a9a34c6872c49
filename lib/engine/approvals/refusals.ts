/** What people have refused in an incident, and which commands and starts that is about. Pure. */
import { countedAction } from '@/lib/commands/cooldown';
import { isSameCommand } from '@/lib/commands/same';
import { startedPrograms } from '@/lib/commands/started-programs';
import { type NamedService, namedServices, servicesMeant } from '@/lib/projects/service-names';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { type CooldownPair, matchCooldownAction, servicesNamed } from '../cooldowns/rules';
import { approvalTitle } from './words';

/** A refusal that nobody has taken back. */
export interface Refusal {
  /** UUID of the approval. */
  id: string;
  tier: number;
  /** Null for the start of a tier. */
  argv: readonly string[] | null;
  decidedAt: Date;
  /** Who refused it and why, as a clause; null if nobody is named. */
  refusal: string | null;
}

type Argv = readonly string[];

/**
 * Returns the newest refusal that a command would get around: of the same command in another spelling, or of
 * a restart or redeployment of the same service by any program. A redeployment also restarts.
 */
export function refusalOfCommand(
  refusals: readonly Refusal[],
  argv: Argv,
  services: readonly ServiceSpec[],
): Refusal | null {
  const project = namedServices(services);
  const asked = commandsIn(argv);
  const isAbout = ({ argv: refused }: Refusal) => {
    if (refused === null) return false;
    if (isSameAction(refused, argv, project)) return true;
    const target = compareTargets(refused, argv, project);
    if (target === 'other') return false;
    return commandsIn(refused).some((one) =>
      asked.some((other) => isSameCommand(one, other, target === 'same')),
    );
  };
  return refusals.findLast(isAbout) ?? null;
}

/** Returns the newest refusal of the start of a tier, or of one below it. */
export function refusalOfStart(refusals: readonly Refusal[], tier: number): Refusal | null {
  return refusals.findLast((each) => each.argv === null && each.tier <= tier) ?? null;
}

/** Returns what refused commands would have restarted or redeployed. */
export function refusedPairs(
  refusals: readonly Refusal[],
  services: readonly NamedService[],
): CooldownPair[] {
  return refusals.flatMap(({ argv }) =>
    argv === null
      ? []
      : matchCooldownAction(lineOf(argv), services).flatMap(({ service, action }) => [
          { service, action },
          ...(action === 'restart' ? [{ service, action: 'redeploy' as const }] : []),
        ]),
  );
}

/** `Ana refused it: a backup runs. …`, with what was refused, for the agent and for people. */
export function refusalSentence(refusal: Refusal): string {
  const who = refusal.refusal ?? 'A person refused it';
  return `${approvalTitle(refusal)} was refused (${who}). That holds for every tier and chain of the incident, and for commands that do the same, until a person allows it again.`;
}

/** Compares the services of the project that two commands name. */
function compareTargets(
  refused: Argv,
  argv: Argv,
  project: readonly NamedService[],
): 'same' | 'other' | 'unknown' {
  const [named, others] = [servicesNamed(refused, project), servicesNamed(argv, project)];
  if (others.some((name) => named.includes(name))) return 'same';
  return named.length > 0 && others.length > 0 ? 'other' : 'unknown';
}

function isSameAction(refused: Argv, argv: Argv, project: readonly NamedService[]): boolean {
  const services = [...project, ...otherTargets(refused, project)];
  const done = matchCooldownAction(lineOf(argv), services);
  return refusedPairs([{ ...NO_REFUSAL, argv: refused }], services).some((pair) =>
    done.some(({ service, action }) => service === pair.service && action === pair.action),
  );
}

const NO_REFUSAL = { id: '', tier: 1, decidedAt: new Date(0), refusal: null };

/** What a command restarts that is no service of the project: it has other spellings, too. */
function otherTargets(argv: Argv, project: readonly NamedService[]): string[] {
  const targets = commandsIn(argv).flatMap(
    ([program = '', ...args]) => countedAction(program, args)?.targets ?? [],
  );
  return targets
    .filter((target) => /^[\w.@-]+$/.test(target) && servicesMeant(target, project).length === 0)
    .map((target) => target.replace(/\.service$/, ''));
}

/** The command itself, and those that it starts: `docker restart web` for `sudo docker restart web`. */
function commandsIn(argv: Argv): Argv[] {
  return [argv, ...startedPrograms(lineOf(argv)).map(({ program, args }) => [program, ...args])];
}

function lineOf(argv: Argv): string {
  return argv.map((arg) => (PLAIN.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`)).join(' ');
}

const PLAIN = /^[\w@%+=:,./-]+$/;
