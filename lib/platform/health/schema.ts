import { z } from 'zod';

export const readinessSchema = z.object({
  status: z.enum(['ready', 'not_ready']),
  /** What the answer stands on, each with whether it answered. */
  parts: z.object({ database: z.boolean(), queue: z.boolean(), worker: z.boolean() }),
});
export type Readiness = z.infer<typeof readinessSchema>;
