import type { SessionDetail } from '@/lib/insight/sessions/schema';
import { formatCount } from '@/lib/platform/format/count';
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
