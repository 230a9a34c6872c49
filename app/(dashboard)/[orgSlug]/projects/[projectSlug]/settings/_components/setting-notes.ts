/** What settings mean in sentences, from what is entered. Empty while a number is missing. */

import { formatCost } from '@/lib/platform/format/cost';
import { formatCount } from '@/lib/platform/format/count';
import { formatSpan } from '@/lib/platform/format/duration';
import type { CheckpointSettings } from '@/lib/projects/checkpoint-settings';
import type { MonitoringSettings } from '@/lib/projects/monitoring-settings';
import type { CooldownRule, ProjectConfig } from '@/lib/projects/schema';
import { limitSentence } from './cooldown-limits';

/** Stands beside the control of a setting, or at the end of a row of a list. */
const BESIDE: Readonly<Record<string, (value: never) => string>> = {
  'budgets.chainUsd': budgetSentence,
  'budgets.dayUsd': budgetSentence,
  'budgets.monthUsd': budgetSentence,
  cooldowns: (rule: CooldownRule) => limitSentence(rule),
};

/** Stands below a setting. */
const BELOW: Readonly<Record<string, (config: ProjectConfig) => string>> = {
  'monitoring.lastResults': ({ monitoring }) => monitoringSentence(monitoring),
  'checkpoints.recoveryBudgetChars': ({ checkpoints }) => checkpointSentence(checkpoints),
};

export function noteBeside(path: string, value: unknown): string {
  return BESIDE[path]?.(value as never) ?? '';
}

export function noteBelow(path: string, config: ProjectConfig): string {
  return BELOW[path]?.(config) ?? '';
}

const WARN_SHARE = 0.8;
const MICROS = 1_000_000;

function budgetSentence(usd: number | null): string {
  if (usd === null || !(usd > 0)) return 'no limit';
  return `warns at ${formatCost(usd * WARN_SHARE * MICROS)}, stops at ${formatCost(usd * MICROS)}`;
}

/** What the settings of monitoring mean in time. */
export function monitoringSentence(settings: MonitoringSettings): string {
  const { everySeconds, failures, lastResults } = settings;
  if (everySeconds === null || [everySeconds, failures, lastResults].some(Number.isNaN)) return '';
  const fastest = formatSpan(everySeconds * failures);
  if (failures === 1) {
    return `A service that fails is noticed within ${fastest}, by a single result.`;
  }
  return `A service that fails is noticed within ${fastest}: once ${failures} of the last ${lastResults} results of a check fail. It is healthy again after ${failures} that pass in a row.`;
}

export function checkpointSentence(settings: CheckpointSettings): string {
  const { promptInterval, timeIntervalMs, maxCheckpointsPerSession } = settings;
  const { retentionDays, recoveryBudgetChars } = settings;
  if (!settings.enabled) {
    return `No checkpoints are written or recovered. Existing ones are kept for ${retentionDays}d.`;
  }
  const numbers = Object.values(settings).filter((value) => typeof value === 'number');
  if (numbers.some(Number.isNaN)) return '';
  return [
    `One after ${formatCount(promptInterval)} prompts and tool results, or after ${formatSpan(timeIntervalMs / 1_000)}; at most ${formatCount(maxCheckpointsPerSession)} per session, kept for ${retentionDays}d.`,
    `A retry, the next tier and a chain that starts within 4h get up to ${formatCount(recoveryBudgetChars)} characters of the latest.`,
  ].join(' ');
}
