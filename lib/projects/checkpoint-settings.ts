import { z } from 'zod';

const whole = (wanted: string, least: number, most: number) =>
  z.number(wanted).int(wanted).min(least, wanted).max(most, wanted);

export const MIN_RETENTION_DAYS = 1;

/** Checkpoint settings of a project. Part of its configuration. */
export const checkpointSettingsSchema = z.object({
  /** Off: nothing is written and nothing recovered; what there is goes by its retention. */
  enabled: z.boolean(),
  /** Prompts and tool results after which a digest is written. */
  promptInterval: whole('Enter 1 to 1,000 prompts and tool results.', 1, 1_000),
  /** By time, even when idle. */
  timeIntervalMs: whole('Enter a time of 1m to 1h.', 60_000, 3_600_000),
  maxCheckpointsPerSession: whole('Enter 1 to 500 checkpoints.', 1, 500),
  retentionDays: whole('Enter 1 to 90 days.', MIN_RETENTION_DAYS, 90),
  /** Maximum characters of the section that are read at the start of a session. */
  recoveryBudgetChars: whole('Enter 200 to 10,000 characters.', 200, 10_000),
});
export type CheckpointSettings = z.infer<typeof checkpointSettingsSchema>;

export const DEFAULT_CHECKPOINTS: CheckpointSettings = {
  enabled: true,
  promptInterval: 10,
  timeIntervalMs: 900_000,
  maxCheckpointsPerSession: 50,
  retentionDays: 7,
  recoveryBudgetChars: 2_000,
};
