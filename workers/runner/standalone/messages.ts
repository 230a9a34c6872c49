/** What a runner tells the process that keeps it running. Stays readable for older versions. */
import { z } from 'zod';

export const messageSchema = z.discriminatedUnion('kind', [
  /** The control plane has answered it. */
  z.object({ kind: z.literal('online') }),
  /** It ends now. A new version is staged: run that. */
  z.object({ kind: z.literal('update'), sha256: z.string() }),
]);
export type RunnerMessage = z.infer<typeof messageSchema>;
