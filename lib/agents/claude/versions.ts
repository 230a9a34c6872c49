/** What we know about versions of Claude Code. */

import { compareVersions } from '@/lib/platform/version-list';

/** Run against in the contract tests. Another version runs with a warning. */
export const TESTED_CLI_VERSIONS = ['2.1.197', '2.1.330'] as const;

/** Whether a result's `modelUsage` counts the process alone, or the conversation with its parents. */
export type UsageScope = 'process' | 'conversation';

/** Measured on the tested versions; the change in between is reported for this one. */
const FIRST_WITH_CONVERSATION_TOTALS = '2.1.277';

/**
 * This one sends the system prompt that a conversation began with, whatever a resumed start says,
 * unless it is told not to; 2.1.197 knows neither the habit nor the flag.
 */
const FIRST_WITH_PROMPT_SNAPSHOT = '2.1.330';

export function takesPromptSnapshotFlag(version: string | null): boolean {
  return version !== null && compareVersions(version, FIRST_WITH_PROMPT_SNAPSHOT) >= 0;
}

/**
 * The oldest version measured to deny input redirection from outside the work directory. 2.1.197
 * counts `cat < FILE` as harmless and runs it without a rule; versions in between are not measured.
 */
export const FIRST_WITHOUT_FILE_READS = '2.1.330';

/** Whether this version prints any file of its account to the agent without a rule. */
export function printsAnyFile(version: string): boolean {
  return compareVersions(version, FIRST_WITHOUT_FILE_READS) < 0;
}

export function isTestedVersion(version: string): boolean {
  return TESTED_CLI_VERSIONS.some((tested) => tested === version);
}

/**
 * Returns what a version's usage includes. An unknown version is treated as newer, so nothing is
 * subtracted.
 */
export function usageScope(version: string | null): UsageScope {
  if (version === null) return 'conversation';
  return compareVersions(version, FIRST_WITH_CONVERSATION_TOTALS) < 0 ? 'process' : 'conversation';
}
