import type { StartSpec } from '@/lib/protocol/spec';

type Rules = Pick<StartSpec, 'tools' | 'allowedRules' | 'disallowedRules'>;

/**
 * Returns the rules that a confined agent's CLI gets. Sandbox and command broker limit its commands,
 * so its own rules for them would only confuse it: it may run any in the sandbox.
 */
export function confinedRules({
  tools,
  allowedRules,
  disallowedRules,
}: Rules): Pick<Rules, 'allowedRules' | 'disallowedRules'> {
  const isOther = (rule: string) => !/^Bash(?:$|\()/.test(rule.trim());
  return {
    allowedRules: [...allowedRules.filter(isOther), ...(tools.includes('Bash') ? ['Bash'] : [])],
    disallowedRules: disallowedRules.filter(isOther),
  };
}
