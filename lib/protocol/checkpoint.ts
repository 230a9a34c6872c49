/** What a checkpoint holds, on its way from the runner, in the table and in the API. */
import { z } from 'zod';

/**
 * Why it was written: after so many prompts and tool results or so much time, right before the CLI
 * compacts its context, by the agent itself, by a person, at the end of the process.
 */
export const CHECKPOINT_TRIGGERS = [
  'periodic',
  'pre_compaction',
  'agent',
  'explicit',
  'session_end',
] as const;
export const checkpointTriggerSchema = z.enum(CHECKPOINT_TRIGGERS);
export type CheckpointTrigger = z.infer<typeof checkpointTriggerSchema>;

/** More recent ones take the place of the oldest. */
export const MAX_QUERIES = 20;
export const MAX_REMEMBERED = 10;
/** Characters of one query, and of one remembered item. */
export const MAX_QUERY_CHARS = 200;
export const MAX_REMEMBERED_CHARS = 2_000;
/** Maximum characters of a digest; the agent gets an error if it writes more. */
export const MAX_DIGEST_CHARS = 20_000;

const count = z.number().int().nonnegative();

export const checkpointCountsSchema = z.object({
  /** All since the process began. */
  prompts: count,
  toolCalls: count,
  toolResults: count,
  /** Milliseconds since the process began. */
  elapsedMs: count,
});
export type CheckpointCounts = z.infer<typeof checkpointCountsSchema>;

export const checkpointSchema = z.object({
  trigger: checkpointTriggerSchema,
  /** Markdown. Empty in a session's stream: the checkpoint itself is kept apart from it. */
  digest: z.string(),
  counts: checkpointCountsSchema,
  /** Searches since the checkpoint before, oldest first. */
  queries: z.array(z.string()).max(MAX_QUERIES),
  /** Told to be remembered since the checkpoint before, oldest first. */
  remembered: z.array(z.string()).max(MAX_REMEMBERED),
  /** The agent's work directory on the runner, as given and without symbolic links. */
  projectPath: z.string(),
  projectPathNormalized: z.string(),
  /** As the CLI's hook named its session; null where no hook asked for this checkpoint. */
  hookSessionId: z.string().nullable(),
});
export type CheckpointContent = z.infer<typeof checkpointSchema>;

/** A checkpoint as an agent reads it. */
export const recalledCheckpointSchema = z.object({
  /** `#18.1`: session and attempt that wrote it. */
  label: z.string(),
  trigger: checkpointTriggerSchema,
  /** Markdown, redacted. */
  digest: z.string(),
  at: z.iso.datetime(),
});
export type RecalledCheckpoint = z.infer<typeof recalledCheckpointSchema>;
