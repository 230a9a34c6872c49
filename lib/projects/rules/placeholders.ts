/**
 * Placeholders of permission rules. A rule such as `Bash(docker restart {service})` expands to one
 * exact rule per service, so it allows no option and no other target.
 */

import { parseTlsTarget } from '@/lib/protocol/checks/target';
import type { CheckSpec, ServiceSpec } from '@/lib/protocol/spec';
import { namedServices, namesOf } from '../service-names';

/** The meaning of each placeholder, for the rule editor and the prompts. */
const PLACEHOLDERS = {
  '{service}': 'the name of a service, or of the container, unit or process that it checks',
  '{host}': 'a host that a check of the project names',
} as const;
type Placeholder = keyof typeof PLACEHOLDERS;

/** Starts with a letter or digit, so that no name reads as an option of a program. */
const SAFE_WORD = /^[A-Za-z0-9][\w.@-]*$/;

/**
 * Fills the placeholders of rules from the services of a project.
 *
 * @returns exact rules in the order of the templates; a template with an unfilled placeholder
 * produces no rule
 */
export function expandRules(rules: readonly string[], services: readonly ServiceSpec[]): string[] {
  const values = placeholderValues(services);
  const expanded = rules.flatMap((rule) =>
    usedPlaceholders(rule).reduce(
      (filled, name) =>
        filled.flatMap((text) => values[name].map((value) => text.replaceAll(name, value))),
      [rule],
    ),
  );
  return [...new Set(expanded)];
}

/** Returns the placeholders in a rule, without duplicates. */
export function usedPlaceholders(rule: string): Placeholder[] {
  const names: Placeholder[] = ['{service}', '{host}'];
  return names.filter((name) => rule.includes(name));
}

/** Returns the values of each placeholder in a project, without duplicates. */
export function placeholderValues(
  services: readonly ServiceSpec[],
): Record<Placeholder, readonly string[]> {
  const names = namedServices(services).flatMap(namesOf);
  const hosts = services.flatMap(({ checks }) => checks.flatMap(hostOf));
  return { '{service}': safe(names), '{host}': safe(hosts) };
}

function safe(words: readonly string[]): string[] {
  return [...new Set(words)].filter((word) => SAFE_WORD.test(word));
}

/** The host that a check connects to; none for checks of the runner's own machine. */
function hostOf({ type, target }: CheckSpec): string[] {
  if (type === 'tls') return hostsOf(parseTlsTarget(target));
  if (type === 'dns') return [target];
  if (type === 'tcp') return [target.replace(/:\d+$/, '')];
  if (type !== 'http' && type !== 'database') return [];
  return URL.canParse(target) ? [new URL(target).hostname] : [];
}

function hostsOf(address: { host: string } | null): string[] {
  return address ? [address.host] : [];
}
