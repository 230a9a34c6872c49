/**
 * Default rules of earlier versions that allow more than their tier is for, and what replaces each.
 * Projects keep the rules they were saved with until someone adopts the replacements.
 */
import { DEFAULT_TIERS } from '../default-tiers';
import type { ProjectConfig, TierPolicy } from '../schema';

type Replacements = Readonly<Record<string, readonly string[]>>;

const READING: Replacements = {
  'Bash(systemctl status:*)': [
    'Bash(systemctl status {service})',
    'Bash(systemctl status {service} --no-pager)',
    'Bash(systemctl --failed)',
  ],
  'Bash(systemctl is-active:*)': ['Bash(systemctl is-active {service})'],
  'Bash(systemctl show:*)': ['Bash(systemctl show {service})'],
  'Bash(journalctl -u:*)': [
    'Bash(journalctl -u {service} -n 100 --no-pager)',
    'Bash(journalctl -u {service} -n 1000 --no-pager)',
  ],
  'Bash(journalctl -n:*)': ['Bash(journalctl -p err -n 100 --no-pager)'],
  'Bash(kubectl logs:*)': [],
  'Bash(gh pr list:*)': ['Bash(gh pr list)'],
  'Bash(gh pr view:*)': [],
  'Bash(gh run list:*)': ['Bash(gh run list)'],
  'Bash(gh run view:*)': [],
  'Bash(ping -c:*)': ['Bash(ping -c 3 {host})'],
  'Bash(dig:*)': ['Bash(dig {host})', 'Bash(dig +short {host})'],
};

const CLUSTER_READING: Replacements = {
  'Bash(kubectl get:*)': [
    'Bash(kubectl get pods)',
    'Bash(kubectl get pods -o wide)',
    'Bash(kubectl get deployments)',
    'Bash(kubectl get events)',
  ],
  'Bash(kubectl describe:*)': [],
};

const REMEDIATION: Replacements = {
  'Bash(docker restart:*)': ['Bash(docker restart {service})'],
  'Bash(docker start:*)': ['Bash(docker start {service})'],
  'Bash(docker compose restart:*)': ['Bash(docker restart {service})'],
  'Bash(systemctl restart:*)': ['Bash(systemctl restart {service})'],
  'Bash(systemctl start:*)': ['Bash(systemctl start {service})'],
  'Bash(systemctl reload:*)': ['Bash(systemctl reload {service})'],
  'Bash(kubectl rollout restart:*)': [],
  'Bash(kubectl rollout status:*)': [],
  'Bash(git add:*)': ['Bash(git add -A)'],
  'Bash(git commit:*)': [
    'Bash(git -c core.hooksPath=/dev/null commit -m "Fix proposed by Tierwatch")',
  ],
  'Bash(git checkout -b:*)': ['Bash(git -c core.hooksPath=/dev/null checkout -b tierwatch-fix)'],
  'Bash(git push -u origin:*)': [
    'Bash(git -c core.hooksPath=/dev/null push -u origin tierwatch-fix)',
  ],
  'Bash(gh pr create:*)': ['Bash(gh pr create --fill)'],
};

const REPLACEMENTS: Record<TierPolicy['tier'], Replacements> = {
  1: { ...READING, ...CLUSTER_READING },
  2: { ...READING, ...CLUSTER_READING, ...REMEDIATION, 'Bash(docker compose up -d:*)': [] },
  3: {
    ...READING,
    ...REMEDIATION,
    Write: [],
    Edit: ['Edit(./**)'],
    'Bash(docker compose:*)': ['up -d', 'stop', 'start', 'pull', 'down'].map(
      (verb) => `Bash(docker compose ${verb}:*)`,
    ),
    'Bash(systemctl stop:*)': ['Bash(systemctl stop {service})'],
  },
};

/**
 * The retired rules that let tier 1 or 2 read any file, reach another host or start another program.
 * The column `project_version.has_leaking_rules` looks for the same ones.
 */
export const LEAKING_RULES: readonly string[] = [
  ...Object.keys(READING),
  ...Object.keys(CLUSTER_READING),
  ...Object.keys(REMEDIATION).filter((rule) => /^Bash\((git|gh|kubectl) /.test(rule)),
  'Bash(docker compose up -d:*)',
];

/** Returns the leaking rules of tiers 1 and 2 of a project, by tier. */
export function leakingRulesOf(tiers: readonly TierPolicy[]): { tier: number; rules: string[] }[] {
  return tiers
    .filter(({ tier, isEnabled }) => tier < 3 && isEnabled)
    .map(({ tier, allowedTools }) => ({
      tier,
      rules: allowedTools.filter((rule) => LEAKING_RULES.includes(rule)),
    }))
    .filter(({ rules }) => rules.length > 0);
}

/**
 * Replaces the retired rules of a tier by narrower ones and adds today's default refusals, except
 * those that would defeat a rule of the project's own. Every other rule stays as it is.
 *
 * @returns the same object where the tier has no retired rule
 */
export function withoutRetiredRules(policy: TierPolicy): TierPolicy {
  const replacements = REPLACEMENTS[policy.tier];
  if (!policy.allowedTools.some((rule) => Object.hasOwn(replacements, rule))) return policy;
  const allowedTools = policy.allowedTools.flatMap((rule) => replacements[rule] ?? [rule]);
  const refused = DEFAULT_TIERS[policy.tier - 1]?.disallowedTools ?? [];
  // Glob came with the same defaults, and lists names outside the work directory on CLI 2.1.197.
  const hasGlobRule = allowedTools.some((rule) => rule.startsWith('Glob'));
  return {
    ...policy,
    tools: policy.tools.filter((tool) => tool !== 'Glob' || hasGlobRule),
    allowedTools: [...new Set(allowedTools)],
    disallowedTools: [
      ...new Set([
        ...policy.disallowedTools,
        ...refused.filter((rule) => !allowedTools.includes(rule)),
      ]),
    ],
  };
}

/** Returns the tiers of a project with the current default rules in place of retired ones. */
export function withCurrentDefaults([
  one,
  two,
  three,
]: ProjectConfig['tiers']): ProjectConfig['tiers'] {
  return [withoutRetiredRules(one), withoutRetiredRules(two), withoutRetiredRules(three)];
}
