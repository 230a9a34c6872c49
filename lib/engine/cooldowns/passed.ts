import type { CooldownRule } from '@/lib/projects/schema';
import type { NamedService } from '@/lib/projects/services/service-names';
import type { CooldownPair } from './rules';
import { type CooldownFact, cooldownState } from './state';

export type SeenPair = CooldownPair & { at: Date; sessionId: string; evidence: string };

/**
 * The first rule that a session went past by what it did itself; null while there is none. Where a
 * rule was made stricter meanwhile, what others did before is no fault of this session.
 */
export function passedByOwnAction(
  sessionId: string,
  rules: readonly CooldownRule[],
  actions: readonly SeenPair[],
  services: readonly NamedService[],
  now: Date,
): CooldownFact | null {
  const own = actions.filter((done) => done.sessionId === sessionId);
  const passed = cooldownState(rules, actions, services, now).find(
    (rule) =>
      rule.used > rule.limit &&
      own.some((done) => done.service === rule.service && done.action === rule.action),
  );
  return passed ?? null;
}
