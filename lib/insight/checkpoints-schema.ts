/** Checkpoints as they are shown. Ids are typed, times are ISO 8601 in UTC. */

import { z } from 'zod';
import { MAX_PAGE, pageQuerySchema } from '@/lib/platform/http/cursor';
import { projectRefSchema } from '@/lib/projects/view';
import { checkpointCountsSchema, checkpointTriggerSchema } from '@/lib/protocol/checkpoint';
import { sessionRefSchema } from './sessions/schema';

const LIMIT = `Enter a limit of 1 to ${MAX_PAGE}.`;

/** Which checkpoints are wanted. */
export const checkpointQuerySchema = pageQuerySchema.extend({
  limit: z.coerce.number(LIMIT).int(LIMIT).min(1, LIMIT).max(MAX_PAGE, LIMIT).default(10),
  /** Id or slug. */
  project: z.string().optional(),
});

export const checkpointDtoSchema = z.object({
  id: z.string(),
  project: projectRefSchema,
  session: sessionRefSchema,
  attemptId: z.string(),
  /** `#18.1`: session and attempt. */
  label: z.string(),
  trigger: checkpointTriggerSchema,
  digest: z.string(),
  counts: checkpointCountsSchema,
  queries: z.array(z.string()),
  remembered: z.array(z.string()),
  harness: z.string(),
  projectPath: z.string(),
  projectPathNormalized: z.string(),
  hookSessionId: z.string().nullable(),
  isLate: z.boolean(),
  /** By the runner's clock, and when it was stored. */
  at: z.string(),
  createdAt: z.string(),
});
export type CheckpointDto = z.infer<typeof checkpointDtoSchema>;
