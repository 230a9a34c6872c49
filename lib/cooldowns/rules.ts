import type { CooldownFact } from '../escalation/schema';
import type { CooldownRule } from '../projects/schema';
import { type CooldownActionName, readProgram } from './programs';
import { type NamedService, nameOf, servicesMeant } from './service-names';
import { type StartedProgram, startedPrograms } from './unwrap';

export interface CooldownPair {
  service: string;
  action: CooldownActionName;
}

/**
 * What a command restarts or redeploys, as far as its words say. It looks through wrappers,
 * quotes and variables; it counts what agents really write and is no boundary: that is the
 * tier's allow list.
 */
export function matchCooldownAction(
  command: string,
  services: readonly NamedService[],
): CooldownPair[] {
  const pairs = startedPrograms(command).flatMap((started) => pairsOf(started, command, services));
  const unique = new Map(pairs.map((pair) => [`${pair.action} ${pair.service}`, pair]));
  return [...unique.values()];
}

function pairsOf(
  { program, args, hasUnknownArgs }: StartedProgram,
  command: string,
  services: readonly NamedService[],
): CooldownPair[] {
  const found = readProgram(program, args);
  if (!found) return [];
  const { action, targets } = found;
  const isUnknown = hasUnknownArgs || targets.some((target) => /[$*?]|^all$/.test(target));
  const meant = targets.flatMap((target) => servicesMeant(target, services));
  const named = isUnknown ? [...meant, ...mentioned(command, services)] : meant;
  // An action on everything, or on something that can't be read, counts for everything.
  const isEverything = targets.length === 0 || program === 'ansible-playbook' || isUnknown;
  const affected = named.length === 0 && isEverything ? services.map(nameOf) : named;
  return affected.map((service) => ({ service, action }));
}

function mentioned(command: string, services: readonly NamedService[]): string[] {
  const words = command.split(/[^\w./-]+/);
  return words.flatMap((word) => servicesMeant(word, services));
}

/**
 * Use of every rule for every service. `nextAllowedAt` is null while the action is allowed, and
 * where a limit of 0 never allows it.
 */
export function cooldownState(
  rules: readonly CooldownRule[],
  actions: readonly (CooldownPair & { at: Date })[],
  services: readonly NamedService[],
  now: Date,
): CooldownFact[] {
  return services.map(nameOf).flatMap((service) =>
    rules.map((rule): CooldownFact => {
      const since = now.getTime() - rule.windowSeconds * 1_000;
      const times = actions
        .filter((done) => done.service === service && done.action === rule.action)
        .map((done) => done.at.getTime())
        .filter((at) => at > since)
        .sort((a, b) => a - b);
      return {
        service,
        action: rule.action,
        used: times.length,
        limit: rule.limit,
        windowSeconds: rule.windowSeconds,
        nextAllowedAt: nextAllowedAt(times, rule),
      };
    }),
  );
}

/** As soon as enough of them have left the window. */
function nextAllowedAt(times: readonly number[], rule: CooldownRule): Date | null {
  if (times.length < rule.limit || rule.limit === 0) return null;
  const last = times[times.length - rule.limit];
  return last === undefined ? null : new Date(last + rule.windowSeconds * 1_000);
}

export function exhaustedPairs(state: readonly CooldownFact[]): CooldownPair[] {
  const pairs = state
    .filter((rule) => rule.used >= rule.limit)
    .map(({ service, action }) => ({ service, action }));
  return [...new Map(pairs.map((pair) => [`${pair.action} ${pair.service}`, pair])).values()];
}

/** The state as a handoff carries it. */
export function cooldownStateForHandoff(
  state: readonly CooldownFact[],
): Record<string, Record<string, unknown>> {
  const result: Record<string, Record<string, unknown>> = {};
  for (const rule of state) {
    const service = result[rule.service] ?? {};
    service[rule.action] = {
      used: rule.used,
      limit: rule.limit,
      window_seconds: rule.windowSeconds,
      next_allowed_at: rule.nextAllowedAt?.toISOString() ?? null,
    };
    result[rule.service] = service;
  }
  return result;
}
