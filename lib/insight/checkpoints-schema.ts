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
  trigger: checkpointTriggerSchema.meta({
    description:
      'Why it was written: by interval, before a compaction, by the agent, for a person, at the end.',
  }),
  digest: z
    .string()
    .meta({ description: 'Markdown; an agent’s own words where `trigger` is `agent`.' }),
  counts: checkpointCountsSchema.meta({ description: 'Since the attempt’s process began.' }),
  queries: z
    .array(z.string())
    .meta({ description: 'What it searched for since the checkpoint before, oldest first.' }),
  remembered: z.array(z.string()).meta({
    description: 'What it was told to remember since the checkpoint before, oldest first.',
  }),
  harness: z.string(),
  projectPath: z.string(),
  projectPathNormalized: z
    .string()
    .meta({ description: 'Without symbolic links; what an earlier cycle is matched by.' }),
  hookSessionId: z
    .string()
    .nullable()
    .meta({ description: 'As the CLI’s hook named its session; null where no hook asked for it.' }),
  isLate: z
    .boolean()
    .meta({ description: 'It came under an old fencing number: kept, and deciding nothing.' }),
  /** By the runner's clock, and when it was stored. */
  at: z.string(),
  createdAt: z.string(),
});
export type CheckpointDto = z.infer<typeof checkpointDtoSchema>;
