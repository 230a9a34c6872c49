import type { CooldownRule } from '@/lib/projects/schema';
import type { NamedService } from '@/lib/projects/services/service-names';
import type { CooldownPair } from './rules';
import { type CooldownFact, cooldownState } from './state';

export type SeenPair = CooldownPair & { at: Date; sessionId: string; evidence: string };

/**
 * Returns the first rule that a session exceeded by its own actions; null if there is none. If a
 * rule became stricter in the meantime, earlier actions of others don't count against this session.
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
