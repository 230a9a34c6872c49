/**
 * Placeholders of permission rules. A rule such as `Bash(docker restart {service})` expands to one
 * exact rule per container, so it allows no option and no other target.
 */
import { type CommandRule, parseCommandRule } from '@/lib/commands/rule';
import { composeProject, SAFE_WORD, serviceValues } from '@/lib/commands/service-values';
import type { CheckKind } from '@/lib/protocol/checks/check-kind';
import { CHECK_KINDS } from '@/lib/protocol/checks/kinds';
import type { CheckSpec, CommandPolicy, ServiceSpec } from '@/lib/protocol/spec';
import { plainWords } from './rule';

const PLACEHOLDERS = ['{service}', '{host}'] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];
type CheckTargets = CommandPolicy['values']['targets'];

/**
 * Fills the placeholders of allowed rules from the services of a project.
 *
 * @returns exact rules in the order of the templates; a template with an unfilled placeholder
 * produces no rule
 */
export function expandRules(rules: readonly string[], services: readonly ServiceSpec[]): string[] {
  const fill = ruleFiller(services);
  return [...new Set(rules.flatMap(fill))];
}

/** Returns a function that expands one rule, for many rules of the same services. */
export function ruleFiller(services: readonly ServiceSpec[]): (rule: string) => string[] {
  const targets = checkTargets(services);
  const hosts = namedHosts(services);
  return (rule) => {
    const valuesOf = (name: Placeholder) =>
      name === '{host}' ? hosts : valuesOfService(rule, targets);
    return usedPlaceholders(rule).reduce(
      (filled, name) =>
        filled.flatMap((text) => valuesOf(name).map((value) => text.replaceAll(name, value))),
      [rule],
    );
  };
}

export interface FilledPlaceholder {
  placeholder: Placeholder;
  /** In whose rules. */
  programs: string[];
  values: readonly string[];
}

/** Returns what the placeholders of rules stand for, once for all programs with the same values. */
export function filledPlaceholders(
  rules: readonly string[],
  services: readonly ServiceSpec[],
): FilledPlaceholder[] {
  const targets = checkTargets(services);
  const hosts = namedHosts(services);
  const found = new Map<string, FilledPlaceholder>();
  for (const rule of rules) {
    const program = programOf(rule);
    for (const placeholder of usedPlaceholders(rule)) {
      const values = placeholder === '{host}' ? hosts : valuesOfService(rule, targets);
      const key = [placeholder, ...values].join(' ');
      const same = found.get(key) ?? { placeholder, programs: [], values };
      if (!same.programs.includes(program)) same.programs.push(program);
      found.set(key, same);
    }
  }
  return [...found.values()];
}

/** `docker compose` names other things than `docker`. */
export function programOf(rule: string): string {
  const [program = rule, verb] = plainWords(rule) ?? [];
  return verb === 'compose' ? `${program} ${verb}` : program;
}

/** Returns denied rules with `*` for every placeholder: what is denied must not depend on checks. */
export function expandDenials(rules: readonly string[]): string[] {
  return [...new Set(rules.map((rule) => rule.replaceAll(/\{service\}|\{host\}/g, '*')))];
}

/** Returns the placeholders in a rule, without duplicates. */
export function usedPlaceholders(rule: string): Placeholder[] {
  return PLACEHOLDERS.filter((name) => rule.includes(name));
}

function valuesOfService(text: string, targets: CheckTargets): readonly string[] {
  const rule = bashRule(text);
  return rule ? serviceValues(rule, targets) : [];
}

/** Whether checks of some project could fill the placeholder `{service}` of a rule. */
export function canBeFilled(text: string): boolean {
  const rule = bashRule(text);
  const project = rule && composeProject(rule.words);
  const container = project ? `${project}-web-1` : 'web';
  const targets = { container: [container], service: ['web'], process: ['web', '/run/web.pid'] };
  return rule !== null && serviceValues(rule, targets).length > 0;
}

/** Null for a rule of another tool, and for one that names no program. */
export function bashRule(text: string): CommandRule | null {
  const parsed = text.trim().startsWith('Bash(') ? parseCommandRule(text) : null;
  return parsed?.ok ? parsed.rule : null;
}

/** Returns what the checks of a project name on the runner's host, by their type. */
export function checkTargets(services: readonly ServiceSpec[]): CheckTargets {
  const checks = services.flatMap((service) => service.checks);
  const of = (type: CheckSpec['type']) => [
    ...new Set(checks.flatMap((check) => (check.type === type ? [check.target.trim()] : []))),
  ];
  return { container: of('container'), service: of('service'), process: of('process') };
}

/** Returns the hosts that the checks of a project name, without duplicates. */
export function namedHosts(services: readonly ServiceSpec[]): string[] {
  const hosts = services.flatMap(({ checks }) => checks.flatMap(hostsOf));
  return [...new Set(hosts)].filter((host) => SAFE_WORD.test(host));
}

/** The host that a check connects to; none for checks of the runner's own machine. */
function hostsOf({ type, target }: CheckSpec): string[] {
  const host = (CHECK_KINDS[type] as CheckKind).host?.(target);
  return host ? [host] : [];
}
