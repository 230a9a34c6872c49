/**
 * What a restarted runner must know about an attempt to find its processes and to end it. Contains
 * no prompt, key or environment.
 */
import { z } from 'zod';

export const attemptRecordSchema = z.object({
  attemptId: z.string(),
  fence: z.number().int().positive(),
  label: z.string(),
  claimedAt: z.iso.datetime(),
  /** Carried in the environment of every process of the attempt. */
  marker: z.string(),
  /** cgroup of the attempt's own; null where the host allows none. */
  cgroupDir: z.string().nullable(),
  cliSessionId: z.string(),
  configDir: z.string(),
  /** Private to the attempt, with everything in it removed at its end. */
  attemptDir: z.string(),
  /** Of a confined attempt: where its conversation is until it ends. */
  privateConfigDir: z.string().nullable().default(null),
  workDir: z.string().nullable().default(null),
  writesHandoffFile: z.boolean(),
  /** The copy of another host's conversation, which is removed at the end of the attempt. */
  copyFile: z.string().nullable().default(null),
  /** See `currentBootId`. */
  bootId: z.string().nullable().default(null),
});
export type AttemptRecord = z.infer<typeof attemptRecordSchema>;
