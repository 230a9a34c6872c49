/** Whether any runner can run the checks of a project, and what follows if none can. Pure. */
import { overdueAfterMs } from './check-state';

/** Why nothing is checked: no runner of the pool is able to, or the one that does is offline. */
export const BLOCK_REASONS = ['no_runner', 'runner_offline'] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

export interface Block {
  /** Since when nothing is checked. */
  since: Date;
  reason: BlockReason;
  /** When people were notified; null before that. */
  reportedAt: Date | null;
}

export interface BlockFacts {
  /** Whether checks run without an agent. */
  isOn: boolean;
  /** The runner that is to run them; null if no runner of the pool could when it was last chosen. */
  runner: {
    lastSeenAt: Date | null;
    /** Whether its program knows how, and it wasn't revoked. */
    canRunChecks: boolean;
  } | null;
  /** The shortest interval of the checks. */
  everySeconds: number;
}

export interface NextBlock {
  block: Block | null;
  /** What people are notified of, if anything. */
  news: 'blocked' | 'resumed' | null;
}

/**
 * Returns whether a project's checks are blocked now. People are notified once a result is missing, and
 * again when a runner is there; a block that is over before that is nobody's business.
 *
 * @param seenAfter a runner that was last there before that is offline
 */
export function nextBlock(
  before: Block | null,
  facts: BlockFacts,
  seenAfter: Date,
  now: Date,
): NextBlock {
  const reason = reasonOf(facts, seenAfter);
  if (reason === null) return { block: null, news: before?.reportedAt ? 'resumed' : null };
  const lastSeenAt = reason === 'runner_offline' ? facts.runner?.lastSeenAt : null;
  const since = before?.since ?? lastSeenAt ?? now;
  const isDue = now.getTime() - since.getTime() > overdueAfterMs(facts.everySeconds);
  const isNews = isDue && !before?.reportedAt;
  const reportedAt = before?.reportedAt ?? (isNews ? now : null);
  return { block: { since, reason, reportedAt }, news: isNews ? 'blocked' : null };
}

function reasonOf({ isOn, runner }: BlockFacts, seenAfter: Date): BlockReason | null {
  if (!isOn) return null;
  if (!runner?.canRunChecks || runner.lastSeenAt === null) return 'no_runner';
  return runner.lastSeenAt > seenAfter ? null : 'runner_offline';
}
