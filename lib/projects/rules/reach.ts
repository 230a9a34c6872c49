/** What the placeholders of a project's rules stand for, and what a save changes about it. */
import { fillingCheck } from '@/lib/commands/service-values';
import type { ServiceSpec, Tier } from '@/lib/protocol/spec';
import { defaultRules } from '../default-rules';
import type { ProjectConfig, TierPolicy } from '../schema';
import { bashRule, canBeFilled, programOf, ruleFiller, usedPlaceholders } from './placeholders';

type Reach = Pick<ProjectConfig, 'services' | 'maxTier'> & {
  tiers: readonly Pick<TierPolicy, 'tier' | 'isEnabled' | 'allowedTools' | 'askFirstTools'>[];
};

/** Names that a sentence lists. */
const MAX_NAMED = 5;

/**
 * Returns why a rule with a placeholder allows nothing in a project, as one sentence; null if it allows
 * something. Default rules share one notice.
 */
export function unfilledWarning(
  rule: string,
  tier: Tier,
  services: readonly ServiceSpec[],
): string | null {
  if (isDefault(rule, tier) || ruleFiller(services)(rule).length > 0) return null;
  return `It allows nothing: ${reasonOf(rule)}`;
}

/** Returns which default rules of a tier allow nothing in a project, as one sentence; null if none. */
export function unfilledNotice(
  rules: readonly string[],
  tier: Tier,
  services: readonly ServiceSpec[],
): string | null {
  const fill = ruleFiller(services);
  const dead = rules.filter((rule) => isDefault(rule, tier) && fill(rule).length === 0);
  if (dead.length === 0) return null;
  const programs = [...new Set(dead.map(programOf))].join(', ');
  return `Default rules of ${programs} with {service} or {host} allow nothing: no check names what they act on.`;
}

function isDefault(rule: string, tier: Tier): boolean {
  return (['open', 'confined'] as const).some((isolation) =>
    defaultRules(tier, isolation).allowedTools.includes(rule),
  );
}

/**
 * Returns what to know about a save, one sentence for each reason and tier: rules that allow nothing
 * because no check fills their placeholder, and rules in which `{service}` stands for more than before.
 * Default rules that no check of a project has ever filled are no news.
 *
 * @param before null for a new project
 */
export function reachWarnings(before: Reach | null, after: Reach): string[] {
  const fillBefore = ruleFiller(before?.services ?? []);
  const fill = ruleFiller(after.services);
  return after.tiers
    .filter(({ tier, isEnabled }) => isEnabled && tier <= after.maxTier)
    .flatMap((policy) => {
      const former = before?.tiers.find(({ tier }) => tier === policy.tier);
      const known = new Set(former ? rulesOf(former) : []);
      const rules = rulesOf(policy).filter((rule) => usedPlaceholders(rule).length > 0);
      const isEmptied = (rule: string) => known.has(rule) && fillBefore(rule).length > 0;
      const dead = rules.filter(
        (rule) => fill(rule).length === 0 && (!isDefault(rule, policy.tier) || isEmptied(rule)),
      );
      const wider = rules.flatMap((rule) => {
        if (!known.has(rule) || !rule.includes('{service}')) return [];
        const allowed = new Set(fillBefore(rule));
        const added = fill(rule).filter((text) => !allowed.has(text));
        return added.length > 0 ? [{ rule, added }] : [];
      });
      return [
        ...grouped(dead, reasonOf).map(
          ([reason, own]) =>
            `Tier ${policy.tier}: ${own.join(', ')} ${own.length === 1 ? 'allows' : 'allow'} nothing: ${reason}`,
        ),
        ...wider.map(
          ({ rule, added }) => `Tier ${policy.tier}: ${rule} now also allows ${listed(added)}.`,
        ),
      ];
    });
}

function rulesOf({ allowedTools, askFirstTools }: Reach['tiers'][number]): string[] {
  return [...new Set([...allowedTools, ...askFirstTools])];
}

function reasonOf(text: string): string {
  if (!text.includes('{service}')) return 'no check names a host.';
  const rule = bashRule(text);
  const check = rule && fillingCheck(rule);
  const program = programOf(text);
  if (!check) return `no kind of check names what ${program} acts on. Write the name itself.`;
  if (canBeFilled(text)) return `no check of the type ${check} names what it acts on.`;
  return program.endsWith('compose')
    ? `it doesn’t name its Compose project, as in ${program} -p shop restart {service}.`
    : `no check of the type ${check} names what this command acts on. Write the name itself.`;
}

function grouped(rules: readonly string[], keyOf: (rule: string) => string): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const rule of rules) groups.set(keyOf(rule), [...(groups.get(keyOf(rule)) ?? []), rule]);
  return [...groups];
}

/** `docker restart a, docker restart b and 3 more`, without the rules' tool. */
function listed(rules: readonly string[]): string {
  const names = rules.slice(0, MAX_NAMED).map((rule) => rule.replace(/^Bash\((.*)\)$/s, '$1'));
  const more = rules.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
