/** Projects as they are shown: the configuration in force, and how things stand. */

import { z } from 'zod';
import { pauseSchema } from '@/lib/identity/pauses/schema';
import { tierSchema } from '@/lib/protocol/spec';
import { projectConfigSchema } from '../schema';

const time = z.string();

export const serviceStateSchema = z.object({
  name: z.string(),
  status: z.enum(['healthy', 'degraded', 'down', 'unknown']),
  statusSince: time.nullable(),
  lastCheckedAt: time.nullable(),
  lastError: z.string(),
  /** `at` is null for one that began before its time was kept. */
  snooze: z
    .object({ at: time.nullable(), until: time, by: z.string(), reason: z.string() })
    .nullable(),
});
export type ServiceState = z.infer<typeof serviceStateSchema>;

export const projectDtoSchema = z.object({
  /** `prj_…` */
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  ...projectConfigSchema.shape,
  /** Of the configuration; raised by every save. */
  version: z.number().int(),
  createdAt: time,
  nextRunAt: time.nullable(),
  pause: pauseSchema.nullable(),
  tierPauses: z.array(pauseSchema.extend({ tier: tierSchema })),
  /** In the order of the configuration. */
  serviceStates: z.array(serviceStateSchema),
  /** The chain that has not ended. */
  liveChain: z.object({ id: z.string(), number: z.number().int(), status: z.string() }).nullable(),
});
export type ProjectDto = z.infer<typeof projectDtoSchema>;

export const projectRefSchema = z.object({ id: z.string(), slug: z.string(), name: z.string() });
