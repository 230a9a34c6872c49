import { z } from 'zod';
import { scheduleSchema } from '@/lib/projects/schema';
import { harnessNameSchema } from '@/lib/runner-protocol/spec';

const draftSchema = z.object({
  name: z.string(),
  target: z.string(),
  /** Empty: made of the target. */
  serviceName: z.string(),
  schedule: scheduleSchema,
  pool: z.string(),
  /** Null: as the pool's runners allow. */
  harness: harnessNameSchema.nullable(),
});
export type WizardDraft = z.infer<typeof draftSchema>;

/** What this browser has kept under a key; null for nothing, and for what an older page kept. */
export function readDraft(key: string): WizardDraft | null {
  try {
    return draftSchema.parse(JSON.parse(localStorage.getItem(key) ?? 'null'));
  } catch {
    return null;
  }
}
