import type { AttemptEnd } from '@/lib/agents/attempt-end';
import type { MissingUsage } from './schema';

/** Ends of processes that had never been answered by a model: nothing was spent, nothing is missing. */
export const ENDS_WITHOUT_COST: readonly AttemptEnd[] = [
  'start_failed',
  'resume_rejected',
  'work_dir_changed',
  'transcript_changed',
  'agent_changed',
  'auth',
  'rate_limited',
  'overloaded',
  'unreachable',
  'bad_request',
];

/** `Usage is missing for 1 killed attempt.` */
export function missingSentence({ end, count }: MissingUsage): string {
  const words = end.replaceAll('_', ' ');
  return `Usage is missing for ${count} ${words} ${count === 1 ? 'attempt' : 'attempts'}.`;
}
