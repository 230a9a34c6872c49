import { type CooldownPair, matchCooldownAction } from './rules';
import { type NamedService, nameOf, namesOf } from './service-names';

/**
 * The allow rules of a start, without those of exhausted pairs. A rule that covers more services
 * (`Bash(docker restart:*)`) is replaced by one for each service that is left. A rule as wide as
 * `Bash(docker:*)` stays: passing the limit inside the run stops it.
 */
export function withoutExhausted(
  allowedRules: readonly string[],
  exhausted: readonly CooldownPair[],
  services: readonly NamedService[],
): string[] {
  return allowedRules.flatMap((rule) => {
    const pattern = /^Bash\((.*)\)$/s.exec(rule)?.[1];
    if (pattern === undefined) return [rule];
    const prefix = prefixOf(pattern);
    if (prefix === null) return samples(pattern, services).some(isExhausting) ? [] : [rule];
    const isHit = (service: NamedService) =>
      namesOf(service).some((name) => isExhausting(`${prefix} ${name}`));
    if (!services.some(isHit)) return [rule];
    return services
      .filter((service) => !isHit(service))
      .flatMap((service) => namesOf(service).map((name) => `Bash(${prefix} ${name})`));
  });

  function isExhausting(command: string): boolean {
    return matchCooldownAction(command, services).some((pair) =>
      exhausted.some((one) => one.service === pair.service && one.action === pair.action),
    );
  }
}

/** `docker restart:*` and `docker restart *` are the prefix `docker restart`; null: no prefix rule. */
function prefixOf(pattern: string): string | null {
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(pattern)?.[1];
  return prefix === undefined || prefix.includes('*') ? null : prefix;
}

/** Commands that a rule lets through: itself, or with each service where its wildcards stand. */
function samples(pattern: string, services: readonly NamedService[]): string[] {
  if (!pattern.includes('*')) return [pattern];
  const words = pattern.replaceAll('*', ' ');
  return services.map((service) => `${words} ${nameOf(service)}`);
}
