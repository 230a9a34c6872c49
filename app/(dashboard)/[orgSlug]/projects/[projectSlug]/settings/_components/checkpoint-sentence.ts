import { formatCount } from '@/lib/platform/format/count';
import { formatSpan } from '@/lib/platform/format/duration';
import type { CheckpointSettings } from '@/lib/projects/checkpoint-settings';

/** What the settings do, in two sentences; empty while a number is missing. */
export function checkpointSentence(settings: CheckpointSettings): string {
  if (!settings.enabled) {
    return `Nothing is written, and no start recovers. What there is stays for ${days(settings)}.`;
  }
  const numbers = Object.values(settings).filter((value) => typeof value === 'number');
  if (numbers.some(Number.isNaN)) return '';
  const { promptInterval, timeIntervalMs, maxCheckpointsPerSession, recoveryBudgetChars } =
    settings;
  return [
    `One after ${formatCount(promptInterval)} prompts and tool results, or after ${formatSpan(timeIntervalMs / 1_000)}; at most ${formatCount(maxCheckpointsPerSession)} per session, kept for ${days(settings)}.`,
    `A retry, the next tier and a cycle that starts within 4h get up to ${formatCount(recoveryBudgetChars)} characters of the latest.`,
  ].join(' ');
}

function days({ retentionDays }: CheckpointSettings): string {
  return `${retentionDays}d`;
}
