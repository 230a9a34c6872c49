/** Whether a host has proven that its agents can't run what no rule allows. */
import { z } from 'zod';

/** How an agent starts there: in a sandbox, or with the rights of the runner's account. */
export const CANARY_MODES = ['confined', 'open'] as const;
export type CanaryMode = (typeof CANARY_MODES)[number];

/** `pending`: it runs, or is about to. */
export const CANARY_STATES = ['passed', 'failed', 'pending'] as const;

export const canarySchema = z.object({
  mode: z.enum(CANARY_MODES),
  state: z.enum(CANARY_STATES),
  /** Why it failed, as a sentence; null otherwise. */
  detail: z.string().nullable(),
});
export type Canary = z.infer<typeof canarySchema>;
