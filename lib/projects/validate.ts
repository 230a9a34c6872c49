import { InvalidError } from '@/lib/platform/errors';
import { checkProblems } from './check-problems';
import { OPERATOR_TEXT_LIMIT } from './limits';
import { maintenanceProblems } from './maintenance/validate';
import { ownPromptProblem } from './prompts';
import { deadAllowRule, deadAskRule, deadRefuseRule } from './rules/problems';
import { validateSchedule } from './schedules/validate';
import type { ProjectConfig, TierPolicy } from './schema';

/** Tools that start sub-agents: only the control plane starts tiers. */
const SUB_AGENT_TOOLS = ['Task', 'Agent'];

/**
 * Checks the rules across fields.
 *
 * @param before what it is saved on top of
 * @throws InvalidError that names every wrong field
 */
export function checkConfig(
  config: ProjectConfig,
  now: Date,
  before: ProjectConfig | null = null,
): void {
  const fields: Record<string, string> = {};
  const schedule = validateSchedule(config.schedule, now);
  if (!schedule.ok) fields.schedule = schedule.error;
  const names = config.services.map((service) => service.name);
  names.forEach((name, index) => {
    if (names.indexOf(name) !== index) {
      fields[`services.${index}.name`] =
        'This name is used by another service. Pick a different one.';
    }
  });
  Object.assign(fields, checkProblems(config, before ?? undefined));
  for (const tier of config.tiers) {
    const problem = tier.prompt === null ? null : ownPromptProblem(tier.tier, tier.prompt);
    if (problem) fields[`tiers.${tier.tier - 1}.prompt`] = problem;
    Object.assign(fields, ruleProblems(tier, before?.tiers[tier.tier - 1]));
    const locked = tier.tools.filter((tool) => SUB_AGENT_TOOLS.includes(tool));
    if (tier.tier < 3 && locked.length > 0) {
      fields[`tiers.${tier.tier - 1}.tools`] =
        `${locked.join(', ')} starts sub-agents. Only the control plane starts tiers, so tiers 1 and 2 never get it.`;
    }
  }
  const gap = config.tiers.findIndex(
    (tier, index) => tier.isEnabled && index > 0 && !config.tiers[index - 1]?.isEnabled,
  );
  if (gap > 0) fields[`tiers.${gap}.isEnabled`] = `Tier ${gap + 1} needs tier ${gap} switched on.`;
  if (!config.tiers[0].isEnabled)
    fields['tiers.0.isEnabled'] = 'Tier 1 is always on. Pause the project instead.';
  if (config.instructions.length > OPERATOR_TEXT_LIMIT) {
    fields.instructions = `Instructions have at most ${OPERATOR_TEXT_LIMIT} characters.`;
  }
  Object.assign(fields, secretProblems(config));
  Object.assign(fields, maintenanceProblems(config.maintenance, before?.maintenance ?? [], now));
  const [first] = Object.values(fields);
  if (first) throw new InvalidError(first, fields);
}

/** Names that a program's start depends on; the broker sets some of them itself. */
const RESERVED_NAMES = /^(?:PATH|HOME|IFS|ENV|BASH_ENV|SHELL|NODE_OPTIONS|LD_[A-Z0-9_]+)$/;

function secretProblems({ secrets, tiers }: ProjectConfig): Record<string, string> {
  const problems: Record<string, string> = {};
  secrets.forEach(({ name, rules, tiers: own }, index) => {
    const known = tiers.flatMap((policy) =>
      own.includes(policy.tier) ? [...policy.allowedTools, ...policy.askFirstTools] : [],
    );
    const unknown = rules.find((rule) => !known.includes(rule) || !rule.startsWith('Bash('));
    if (unknown) {
      problems[`secrets.${index}.rules`] =
        `These tiers have no rule ${unknown} for a command. Enter a rule exactly as the tier lists it.`;
    }
    if (rules.length > 0 && RESERVED_NAMES.test(name)) {
      problems[`secrets.${index}.name`] =
        `Commands can’t get a secret as ${name}. Rename the file.`;
    }
  });
  return problems;
}

/** Rules that can never do anything; those that were saved before this was asked may stay. */
function ruleProblems(tier: TierPolicy, before: TierPolicy | undefined): Record<string, string> {
  const isOld = (list: readonly string[] | undefined, rule: string) =>
    list?.includes(rule) ?? false;
  const first = (field: string, found: readonly string[]): Record<string, string> =>
    found[0] ? { [`tiers.${tier.tier - 1}.${field}`]: found[0] } : {};
  const isSameTools = before && JSON.stringify(before.tools) === JSON.stringify(tier.tools);
  return {
    ...first(
      'allowedTools',
      tier.allowedTools
        .filter((rule) => !(isSameTools && isOld(before.allowedTools, rule)))
        .flatMap((rule) => deadAllowRule(rule, tier.tools) ?? []),
    ),
    ...first(
      'disallowedTools',
      tier.disallowedTools
        .filter((rule) => !isOld(before?.disallowedTools, rule))
        .flatMap((rule) => deadRefuseRule(rule) ?? []),
    ),
    ...first(
      'askFirstTools',
      tier.askFirstTools.flatMap((rule) => deadAskRule(rule, tier.tools) ?? []),
    ),
  };
}
