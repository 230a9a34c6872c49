import { COUNTED_PROGRAMS, verbsOf, wordsOf } from '@/lib/commands/cooldown';
import { startedPrograms } from '@/lib/commands/started-programs';
import { type NamedService, nameOf, namesOf } from '@/lib/projects/service-names';
import { type CooldownPair, matchCooldownAction } from './rules';

/** Options that turn starting a service into redeploying it. */
const REDEPLOY_OPTIONS = ['--build', '--force-recreate', '--pull=always'];

/**
 * Returns the allow rules of a start without what exhausted pairs forbid, in the same order.
 *
 * - A rule whose next word is the service (`Bash(docker restart:*)`) becomes one rule for each
 *   service that is left.
 * - A rule that leaves the verb open (`Bash(docker compose:*)`, `Bash(kubectl:*)`) keeps that
 *   program's reading verbs and nothing else.
 * - A rule for every command, an interpreter or an exec (`Bash`, `Bash(docker exec:*)`) stays as it
 *   is: an attempt that exceeds the limit with it is stopped.
 *
 * @param exhausted pairs of service and action that have no use left
 */
export function withoutExhausted(
  allowedRules: readonly string[],
  exhausted: readonly CooldownPair[],
  services: readonly NamedService[],
): string[] {
  if (exhausted.length === 0) return [...allowedRules];
  return [...new Set(allowedRules.flatMap(narrowed))];

  function narrowed(rule: string): string[] {
    const pattern = /^Bash\((.*)\)$/s.exec(rule)?.[1];
    if (pattern === undefined) return [rule];
    const prefix = prefixOf(pattern);
    if (prefix === null) return samples(pattern, services).some(isExhausting) ? [] : [rule];
    const withOptions = REDEPLOY_OPTIONS.map((option) => `${prefix} ${option}`);
    if ([prefix, ...withOptions].some((command) => services.some((one) => isHit(command, one)))) {
      return forOthers(prefix);
    }
    return verbsAfter(prefix, 'counted').some((command) =>
      services.some((one) => isHit(command, one)),
    )
      ? verbsAfter(prefix, 'reading').map((command) => `Bash(${command}:*)`)
      : [rule];
  }

  function isExhausting(command: string): boolean {
    return matchCooldownAction(command, services).some((pair) =>
      exhausted.some((one) => one.service === pair.service && one.action === pair.action),
    );
  }

  function isHit(command: string, service: NamedService): boolean {
    return namesOf(service).some((name) => isExhausting(`${command} ${name}`));
  }

  function forOthers(prefix: string): string[] {
    // With compose, starting one service also starts those that it depends on.
    const isComposeUp = /\bcompose\b.* up\b/.test(prefix) && !prefix.includes('--no-deps');
    const start = isComposeUp ? `${prefix} --no-deps` : prefix;
    return services
      .filter((service) => !isHit(prefix, service))
      .flatMap((service) => namesOf(service).map((name) => `Bash(${start} ${name})`));
  }
}

/**
 * Returns the prefix of a pattern: `docker restart` for `docker restart:*` and `docker restart *`;
 * null if it isn't a prefix rule.
 */
function prefixOf(pattern: string): string | null {
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(pattern)?.[1];
  return prefix === undefined || prefix.includes('*') ? null : prefix;
}

/** Returns the commands that begin with `prefix` and complete a verb of its program. */
function verbsAfter(prefix: string, kind: 'counted' | 'reading'): string[] {
  const started = startedPrograms(prefix).at(-1);
  if (!started) return [];
  const given = wordsOf(started.program, started.args);
  return verbsOf(started.program, kind).flatMap((verb) => {
    const words = verb.split(' ');
    const isOpen = given.length < words.length && given.every((word, at) => word === words[at]);
    return isOpen ? [`${prefix} ${words.slice(given.length).join(' ')}`] : [];
  });
}

/**
 * Returns commands that a rule without a plain prefix allows: the rule itself, or what its
 * wildcards may stand for.
 */
function samples(pattern: string, services: readonly NamedService[]): string[] {
  if (!pattern.includes('*')) return [pattern];
  const matches = new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 's');
  const known = COUNTED_PROGRAMS.flatMap((program) =>
    verbsOf(program, 'counted').flatMap((verb) =>
      services.map((one) => `${program} ${verb} ${nameOf(one)}`),
    ),
  );
  const words = pattern.replaceAll('*', ' ');
  return [
    ...services.map((service) => `${words} ${nameOf(service)}`),
    ...known.filter((command) => matches.test(command)),
  ];
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}
