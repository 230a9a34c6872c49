'use server';

import { z } from 'zod';
import { action } from '@/lib/actions/action';
import { previewSchedule as preview } from '@/lib/projects/schedule-preview/preview';
import { scheduleSchema } from '@/lib/projects/schema';

export const previewSchedule = action(z.object({ schedule: scheduleSchema }), async ({ input }) =>
  preview(input.schedule, new Date()),
);
