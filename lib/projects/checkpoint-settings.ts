import { z } from 'zod';
import { count, flag, milliseconds } from './setting';

export const MIN_RETENTION_DAYS = 1;

/** Checkpoint settings of a project. Part of its configuration. */
export const checkpointSettingsSchema = z.object({
  enabled: flag({
    label: 'Keep checkpoints',
    hint: 'Saves what a session knows, so that it survives a full context, a lost process and the end of the chain.',
    doc: 'False: none are written, and no start recovers from one.',
  }).default(true),
  promptInterval: count(1, 1_000, 'prompts and tool results', {
    label: 'Prompts and tool results',
    hint: 'Between two checkpoints.',
    doc: 'Prompts and tool results after which one is written.',
    comment: 'prompts and tool results',
  }).default(10),
  timeIntervalMs: milliseconds(60, 3_600, {
    label: 'Time',
    name: 'time between checkpoints',
    hint: 'Maximum time between checkpoints, even when idle.',
  }).default(900_000),
  maxCheckpointsPerSession: count(1, 500, 'checkpoints', {
    label: 'Maximum per session',
    hint: 'The oldest are removed first.',
  }).default(50),
  retentionDays: count(MIN_RETENTION_DAYS, 90, 'days', {
    label: 'Days kept',
    hint: 'Then they are deleted.',
    doc: 'Days after which they are deleted.',
    comment: 'days',
  }).default(7),
  recoveryBudgetChars: count(200, 10_000, 'characters', {
    label: 'Characters recovered',
    hint: 'Maximum read at the start of a session.',
    doc: 'Maximum characters of a checkpoint that are read at the start of a session.',
    comment: 'maximum characters read at start',
  }).default(2_000),
});
export type CheckpointSettings = z.infer<typeof checkpointSettingsSchema>;

export const DEFAULT_CHECKPOINTS = checkpointSettingsSchema.parse({});
