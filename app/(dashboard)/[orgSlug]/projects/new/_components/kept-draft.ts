import { z } from 'zod';
import { NEW_MONITORING } from '@/lib/projects/monitoring-settings';
import { scheduleSchema } from '@/lib/projects/schedules/schema';
import { TEMPLATE_NAMES } from '@/lib/projects/templates';
import { harnessNameSchema } from '@/lib/protocol/spec';

const draftSchema = z.object({
  name: z.string(),
  template: z.enum(TEMPLATE_NAMES).default('web'),
  target: z.string(),
  /** Empty: made of the target. */
  serviceName: z.string(),
  /** Between two runs of the checks without an agent; null: they run in chains only. */
  checkEverySeconds: z.number().nullable().default(NEW_MONITORING.everySeconds),
  schedule: scheduleSchema,
  pool: z.string(),
  /** Null: as the pool's runners allow. */
  harness: harnessNameSchema.nullable(),
});
export type WizardDraft = z.infer<typeof draftSchema>;

/** Null for what is no draft, such as one that an older page kept. */
export function parseDraft(kept: string): WizardDraft | null {
  try {
    return draftSchema.parse(JSON.parse(kept));
  } catch {
    return null;
  }
}
