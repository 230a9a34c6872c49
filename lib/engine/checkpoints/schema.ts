import { z } from 'zod';

export const checkpointRequestSchema = z.object({
  sessionId: z.string(),
  attemptId: z.string(),
  requestedAt: z.string(),
});
export type CheckpointRequest = z.infer<typeof checkpointRequestSchema>;

export const discardSchema = z.object({
  sessionId: z.string(),
  discardedAt: z
    .string()
    .meta({ description: 'When somebody said that nothing of it is to be recovered.' }),
  discardedBy: z.string(),
});
export type Discard = z.infer<typeof discardSchema>;
