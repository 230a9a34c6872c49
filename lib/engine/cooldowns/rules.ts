import type { CooldownActionName } from '@/lib/commands/catalog/entry';
import { countedAction } from '@/lib/commands/cooldown';
import { type StartedProgram, startedPrograms } from '@/lib/commands/started-programs';
import { type NamedService, nameOf, servicesMeant } from '@/lib/projects/service-names';

export interface CooldownPair {
  service: string;
  action: CooldownActionName;
}

/**
 * Returns what a command restarts or redeploys, as far as its words tell. It looks through
 * wrappers, quotes and variables. It counts what agents write in practice and isn't a security
 * boundary: that is the tier's allowlist.
 */
export function matchCooldownAction(
  command: string,
  services: readonly NamedService[],
): CooldownPair[] {
  const pairs = startedPrograms(command).flatMap((started) => pairsOf(started, command, services));
  const unique = new Map(pairs.map((pair) => [`${pair.action} ${pair.service}`, pair]));
  return [...unique.values()];
}

/**
 * Returns what an argv restarts or redeploys: the program's name without a path, and its arguments.
 * Unlike a line of shell, an argv has no parts that are known only at run time.
 */
export function actionsOfArgv(
  [program = '', ...args]: readonly string[],
  services: readonly NamedService[],
): CooldownPair[] {
  const started = { program, args, hasUnknownArgs: false };
  const pairs = pairsOf(started, args.join(' '), services);
  return [...new Map(pairs.map((pair) => [`${pair.action} ${pair.service}`, pair])).values()];
}

function pairsOf(
  { program, args, hasUnknownArgs }: StartedProgram,
  command: string,
  services: readonly NamedService[],
): CooldownPair[] {
  const found = countedAction(program, args);
  if (!found) return [];
  const { action, targets } = found;
  if (targets.some((target) => isContainerId(program, target, services))) {
    return services.map((service) => ({ service: nameOf(service), action }));
  }
  const isUnread = hasUnknownArgs || targets.some((target) => target.includes('$'));
  const isPattern = targets.some((target) => /[*?]|^all$/.test(target));
  const isUnknown = isUnread || isPattern;
  const meant = targets.flatMap((target) => servicesMeant(target, services));
  // Another word of the line may be what a variable stands for, but not what a pattern matches.
  const hints = isUnread ? command : targets.join(' ');
  const named = isUnknown ? [...meant, ...mentioned(hints, services)] : meant;
  // An action on everything, or on a target that can't be read, counts for every service.
  const isEverything = targets.length === 0 || program === 'ansible-playbook' || isUnknown;
  const affected = named.length === 0 && isEverything ? services.map(nameOf) : named;
  return affected.map((service) => ({ service, action }));
}

/** `docker restart 3f2a`: the beginning of an id may be any container's. */
function isContainerId(
  program: string,
  target: string,
  services: readonly NamedService[],
): boolean {
  const knowsIds = ['docker', 'podman', 'nerdctl'].includes(program);
  const looksLikeId = /^[0-9a-f]+$/i.test(target) && /\d/.test(target);
  return knowsIds && looksLikeId && servicesMeant(target, services).length === 0;
}

/** Returns the services that an argv names anywhere, in the order of the project. */
export function servicesNamed(
  argv: readonly string[],
  services: readonly NamedService[],
): string[] {
  const named = new Set(mentioned(argv.join(' '), services));
  return services.map(nameOf).filter((name) => named.has(name));
}

function mentioned(command: string, services: readonly NamedService[]): string[] {
  const words = command.split(/[^\w./-]+/);
  return words.flatMap((word) => servicesMeant(word, services));
}
