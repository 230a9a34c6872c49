/** What the demo suggests next, from what is running and what the last chain did. */
import type { DemoStatus } from './schema';

export interface DemoGuideFacts {
  /** The project's checks run without an agent, and start a chain. */
  isMonitored: boolean;
  /** Null: the demo service doesn't answer. */
  status: DemoStatus | null;
  /** The newest chain that wasn't skipped; null before the first one. */
  lastChain: {
    number: number;
    /** Null while it runs. */
    outcome: string | null;
    highestTier: number;
    /** Micro-dollars. */
    costMicros: number;
    /** Null while it runs. */
    durationMs: number | null;
  } | null;
}

export type DemoGuide =
  | { kind: 'not_running' }
  /** Everything is up, and nothing was repaired just now. */
  | { kind: 'break_it'; startsAutomatically: boolean }
  | {
      kind: 'run_now';
      service: string;
      ended: string;
      needsRepair: boolean;
      /** A chain starts automatically once the checks have noticed. */
      startsAutomatically: boolean;
    }
  | { kind: 'watch'; number: number }
  | {
      kind: 'repaired';
      number: number;
      tier: number;
      costMicros: number;
      durationMs: number | null;
    };

/** Returns the one next step. */
export function demoGuideOf({ isMonitored, status, lastChain }: DemoGuideFacts): DemoGuide {
  if (lastChain && lastChain.outcome === null) return { kind: 'watch', number: lastChain.number };
  if (status === null) return { kind: 'not_running' };
  const down = status.find(({ isUp }) => !isUp);
  if (down) {
    const needsRepair = down.detail.includes('configuration error');
    const service = down.name;
    const startsAutomatically = isMonitored;
    return { kind: 'run_now', service, ended: down.detail, needsRepair, startsAutomatically };
  }
  if (lastChain?.outcome === 'fixed') {
    const { number, highestTier: tier, costMicros, durationMs } = lastChain;
    return { kind: 'repaired', number, tier, costMicros, durationMs };
  }
  return { kind: 'break_it', startsAutomatically: isMonitored };
}
