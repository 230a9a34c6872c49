'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { loadSampleProject } from '@/lib/fleet/sample-project';
import { maintenanceWindowSchema } from '@/lib/projects/maintenance/schema';
import { previewWindow as previewOneWindow } from '@/lib/projects/maintenance/validate';
import { previewSchedule as preview } from '@/lib/projects/schedules/preview';
import { scheduleSchema } from '@/lib/projects/schedules/schema';

export const previewSchedule = action(z.object({ schedule: scheduleSchema }), async ({ input }) =>
  preview(input.schedule, new Date()),
);

/** Needs no role beyond being a member: it computes, and reads nothing. */
export const previewWindow = action(
  z.object({ window: maintenanceWindowSchema }),
  async ({ input }) => previewOneWindow(input.window, new Date()),
);

export const loadSample = action(z.object({ organizationSlug: z.string() }), async ({ scope }) =>
  loadSampleProject(scope),
);
