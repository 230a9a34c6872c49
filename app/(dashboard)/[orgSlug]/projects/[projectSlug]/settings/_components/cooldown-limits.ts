import type { CooldownPair } from '@/lib/engine/cooldowns/rules';
import { formatSpan } from '@/lib/platform/format/duration';
import type { CooldownRule } from '@/lib/projects/schema';

/** `2 restarts per service in 4h.`; empty while a number is missing. */
export function limitSentence({ action, limit, windowSeconds }: CooldownRule): string {
  if (Number.isNaN(limit) || Number.isNaN(windowSeconds)) return '';
  const noun = NOUNS[action];
  if (limit === 0) return `No ${noun} of any service.`;
  return `${limit} ${noun}${limit === 1 ? '' : 's'} per service in ${formatSpan(windowSeconds)}.`;
}

const NOUNS: Record<CooldownPair['action'], string> = {
  restart: 'restart',
  redeploy: 'redeployment',
};

/** A command, as far as cooldowns are concerned. */
export interface CountedCommand {
  /** `Counts as a restart of web. Limit: 2 restarts per service in 4h.`, for each action. */
  sentences: string[];
  /** Whether a cooldown allows none at all. */
  isRefused: boolean;
}

/** Returns what a command counts as, and the cooldowns that limit that. */
export function countedCommand(
  pairs: readonly CooldownPair[],
  rules: readonly CooldownRule[],
): CountedCommand {
  const actions = [...new Set(pairs.map(({ action }) => action))];
  const applied = rules.filter((rule) => actions.includes(rule.action));
  const sentences = actions.map((action) => {
    const services = pairs.filter((pair) => pair.action === action).map(({ service }) => service);
    const limits = applied
      .filter((rule) => rule.action === action)
      .map(limitSentence)
      .filter((sentence) => sentence !== '');
    const limit =
      limits.length === 0 ? 'No cooldown limits it.' : `Cooldown: ${limits.join(' And: ')}`;
    return `Counts as a ${NOUNS[action]} of ${services.join(', ')}. ${limit}`;
  });
  return { sentences, isRefused: applied.some(({ limit }) => limit === 0) };
}
