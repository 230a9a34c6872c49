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
    .meta({ description: 'When an operator discarded it, so that nothing is recovered from it.' }),
  discardedBy: z.string(),
});
export type Discard = z.infer<typeof discardSchema>;
