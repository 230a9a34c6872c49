import { parseCommandRule } from '@/lib/commands/rule';
import type { CommandPolicy, ServiceSpec } from '@/lib/protocol/spec';
import { placeholderValues } from './placeholders';

/**
 * Returns what a confined agent may have run outside its sandbox: the rules for commands, and the
 * values of their placeholders in the project.
 */
export function commandPolicy(
  rules: { allowed: readonly string[]; denied: readonly string[]; askFirst: readonly string[] },
  services: readonly ServiceSpec[],
): CommandPolicy {
  const values = placeholderValues(services);
  const urls = services.flatMap(({ checks }) =>
    checks.flatMap(({ type, target }) => (type === 'http' ? [target] : [])),
  );
  return {
    allowed: rules.allowed.filter(isCommandRule),
    denied: rules.denied.filter(isCommandRule),
    askFirst: rules.askFirst.filter(isCommandRule),
    values: {
      service: [...values['{service}']],
      host: [...values['{host}']],
      url: [...new Set(urls)],
    },
  };
}

/** Rules of other tools, and `Bash` alone, name no command. */
function isCommandRule(rule: string): boolean {
  return rule.trim().startsWith('Bash') && parseCommandRule(rule).ok;
}
