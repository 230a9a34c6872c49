import type { AttemptSeal, LedgerRow, SessionDetail } from '@/lib/insight/sessions/schema';
import { formatCost, microsOf } from '@/lib/platform/format/cost';
import { formatCount, formatTokens } from '@/lib/platform/format/count';
import { formatSpan } from '@/lib/platform/format/duration';
import type { CheckpointSettings } from '@/lib/projects/checkpoint-settings';

const DAY_MS = 86_400_000;

/** Why a session has no checkpoints. */
export function emptyCheckpoints(
  session: Pick<SessionDetail, 'startedAt' | 'endedAt'>,
  settings: CheckpointSettings,
  now: Date,
): { title: string; text: string } {
  const { enabled, promptInterval, timeIntervalMs, retentionDays } = settings;
  if (session.endedAt) {
    const isPast = now.getTime() - Date.parse(session.endedAt) >= retentionDays * DAY_MS;
    if (isPast) {
      return {
        title: 'No checkpoints left.',
        text: `Checkpoints are deleted after ${retentionDays}d. Report, cost and decisions are kept.`,
      };
    }
  }
  if (!enabled) {
    return {
      title: 'Checkpoints are off.',
      text: 'No checkpoints are written or recovered. An admin can turn them on under Project settings, Thresholds.',
    };
  }
  if (session.endedAt) {
    return {
      title: 'No checkpoints.',
      text: session.startedAt
        ? 'The session ended without one: it did too little, or began while they were off.'
        : 'No process was started.',
    };
  }
  return {
    title: 'No checkpoints yet.',
    text: `One is written after ${formatCount(promptInterval)} prompts and tool results, after ${formatSpan(timeIntervalMs / 1_000)}, before a compaction, and at the end.`,
  };
}

const WORDS: Record<Exclude<AttemptSeal['state'], 'kept'>, string> = {
  secrets: 'Not kept: it contains something that the runner redacts',
  too_large: 'Not kept: it is too large',
  damaged: 'Damaged: it can’t be continued on another host',
  missing: 'Missing from the storage',
  expired: 'Expired',
  // The runner sends it after the result, so it may still be on its way.
  none: 'None has arrived',
};

/** Says what is kept of a conversation for other hosts; the time until when is not in it. */
export function sealWords(seal: AttemptSeal | null): string {
  if (seal === null) return '—';
  if (seal.state !== 'kept') return WORDS[seal.state];
  return `${sizeWords(seal.bytes)}, ${sizeWords(seal.storedBytes)} stored`;
}

function sizeWords(bytes: number | null): string {
  if (bytes === null) return 'unknown size';
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(0)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const COUNTS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;

type Claim = NonNullable<LedgerRow['claimed']>;

/**
 * Returns how the CLI's own figures differ from those of the gateway, in a few words; null if they
 * don't, or if the CLI is the source. Less than a hundredth of a cent is rounding.
 */
export function claimDifference(row: LedgerRow): string | null {
  const { claimed } = row;
  if (claimed === null) return null;
  const tokens = total(claimed) - total(row);
  const isOtherSplit = COUNTS.some((count) => claimed[count] !== row[count]);
  if (tokens !== 0) {
    return `The CLI says ${formatTokens(Math.abs(tokens))} tokens ${tokens > 0 ? 'more' : 'less'}`;
  }
  if (isOtherSplit) return 'The CLI divides the tokens differently';
  const usd = (claimed.costUsd ?? row.costUsd) - row.costUsd;
  if (Math.abs(usd) < 0.000_1) return null;
  return `The CLI says ${formatCost(microsOf(Math.abs(usd)))} ${usd > 0 ? 'more' : 'less'}`;
}

function total(counts: Claim | LedgerRow): number {
  return COUNTS.reduce((sum, count) => sum + counts[count], 0);
}
