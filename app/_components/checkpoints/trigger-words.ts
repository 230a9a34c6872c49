import type { CheckpointTrigger } from '@/lib/protocol/checkpoint';

/** Why a checkpoint was written. */
export const TRIGGER_WORDS: Record<CheckpointTrigger, string> = {
  periodic: 'By interval',
  pre_compaction: 'Before a compaction',
  agent: 'By the agent',
  explicit: 'Asked for',
  session_end: 'At the end',
};
