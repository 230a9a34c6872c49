import { formatSpan } from '@/lib/platform/format/duration';
import type { CooldownRule } from '@/lib/projects/schema';
import { type NamedService, nameOf } from '@/lib/projects/service-names';
import type { CooldownPair } from './rules';

/** Use of one cooldown rule for one service. It is exhausted once `used >= limit`. */
export interface CooldownFact {
  service: string;
  action: 'restart' | 'redeploy';
  used: number;
  limit: number;
  windowSeconds: number;
  nextAllowedAt: Date | null;
}

/**
 * Returns the use of every rule for every service. `nextAllowedAt` is null while the action is
 * allowed, and if a limit of 0 never allows it.
 */
export function cooldownState(
  rules: readonly CooldownRule[],
  actions: readonly (CooldownPair & { at: Date })[],
  services: readonly NamedService[],
  now: Date,
): CooldownFact[] {
  return services.map(nameOf).flatMap((service) =>
    rules.map((rule): CooldownFact => {
      const since = now.getTime() - rule.windowSeconds * 1_000;
      const times = actions
        .filter((done) => done.service === service && done.action === rule.action)
        .map((done) => done.at.getTime())
        .filter((at) => at > since)
        .sort((a, b) => a - b);
      return {
        service,
        action: rule.action,
        used: times.length,
        limit: rule.limit,
        windowSeconds: rule.windowSeconds,
        nextAllowedAt: nextAllowedAt(times, rule),
      };
    }),
  );
}

/**
 * Returns when enough actions have left the window. While the action is allowed there is none to
 * wait for, and a limit of 0 waits for none.
 */
function nextAllowedAt(times: readonly number[], rule: CooldownRule): Date | null {
  const last = times[times.length - rule.limit];
  return last === undefined ? null : new Date(last + rule.windowSeconds * 1_000);
}

export function exhaustedPairs(state: readonly CooldownFact[]): CooldownPair[] {
  const pairs = state
    .filter((rule) => rule.used >= rule.limit)
    .map(({ service, action }) => ({ service, action }));
  return [...new Map(pairs.map((pair) => [`${pair.action} ${pair.service}`, pair])).values()];
}

/** Returns the state in the form that a handoff carries. */
export function cooldownStateForHandoff(
  state: readonly CooldownFact[],
): Record<string, Record<string, unknown>> {
  const result: Record<string, Record<string, unknown>> = {};
  for (const rule of state) {
    const service = result[rule.service] ?? {};
    service[rule.action] = {
      used: rule.used,
      limit: rule.limit,
      window_seconds: rule.windowSeconds,
      next_allowed_at: rule.nextAllowedAt?.toISOString() ?? null,
    };
    result[rule.service] = service;
  }
  return result;
}

/** `payments-db was restarted twice in the last 4h. The next restart is allowed at 16:40 UTC.` */
export function cooldownSentence(rule: CooldownFact): string {
  const done = rule.action === 'restart' ? 'restarted' : 'redeployed';
  if (rule.limit === 0) return `${rule.service} must not be ${done}.`;
  const first = `${rule.service} was ${done} ${times(rule.used)} in the last ${formatSpan(rule.windowSeconds)}.`;
  if (rule.nextAllowedAt === null) return first;
  const at = rule.nextAllowedAt.toISOString();
  return `${first} The next ${rule.action} is allowed at ${at.slice(11, 16)} UTC.`;
}

function times(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}

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
