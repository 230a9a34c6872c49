import { parseCommandRule } from '@/lib/commands/rule';
import type { CommandPolicy, ServiceSpec, Tier } from '@/lib/protocol/spec';
import type { ProjectConfig } from '../schema';
import { checkTargets, namedHosts } from './placeholders';

/**
 * Returns what a confined agent may have run outside its sandbox: the rules for commands, and the
 * values of their placeholders in the project.
 */
export function commandPolicy(
  rules: { allowed: readonly string[]; denied: readonly string[]; askFirst: readonly string[] },
  services: readonly ServiceSpec[],
  secrets: CommandPolicy['secrets'] = [],
): CommandPolicy {
  const urls = services.flatMap(({ checks }) =>
    checks.flatMap(({ type, target }) => (type === 'http' ? [target] : [])),
  );
  return {
    allowed: rules.allowed.filter(isCommandRule),
    denied: rules.denied.filter(isCommandRule),
    askFirst: rules.askFirst.filter(isCommandRule),
    secrets: [...secrets],
    values: {
      targets: checkTargets(services),
      service: [],
      host: namedHosts(services),
      url: [...new Set(urls)],
    },
  };
}

/** Rules of other tools, and `Bash` alone, name no command. */
function isCommandRule(rule: string): boolean {
  return rule.trim().startsWith('Bash') && parseCommandRule(rule).ok;
}

/** Returns which secrets commands of a tier get, by the rules that name them. */
export function commandSecrets(
  secrets: ProjectConfig['secrets'],
  tier: Tier,
): CommandPolicy['secrets'] {
  return secrets.flatMap(({ name, tiers, rules }) =>
    tiers.includes(tier) && rules.length > 0 ? [{ name, rules }] : [],
  );
}

/** Returns tier 1's rules for the commands of checks; undefined for a project without such a check. */
export function checkCommandPolicy({
  services,
  tiers,
}: Pick<ProjectConfig, 'services' | 'tiers'>): CommandPolicy | undefined {
  const hasCommands = services.some(({ checks }) => checks.some(({ type }) => type === 'command'));
  const tier = tiers.find((each) => each.tier === 1);
  if (!hasCommands) return undefined;
  const { allowedTools = [], disallowedTools = [], askFirstTools = [] } = tier ?? {};
  return commandPolicy(
    { allowed: allowedTools, denied: disallowedTools, askFirst: askFirstTools },
    services,
  );
}
