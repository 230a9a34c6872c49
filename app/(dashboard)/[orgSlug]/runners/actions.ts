'use server';

import { z } from 'zod';
import { action } from '@/lib/actions/action';
import { env } from '@/lib/env';
import { createEnrolmentSchema } from '@/lib/runners/fleet/schema';
import {
  createEnrolment as create,
  drainRunner as drain,
  resumeRunner as resume,
  revokeRunner as revoke,
} from '@/lib/runners/service/manage-runners';

const runnerSchema = z.object({ runnerId: z.string() });

/** The token is in the answer and nowhere else. */
export const createEnrolment = action(
  z.object({ enrolment: createEnrolmentSchema }),
  async ({ scope, input }) => {
    const enrolment = await create(scope, input.enrolment);
    return { ...enrolment, url: env().publicUrl };
  },
);

export const drainRunner = action(runnerSchema, async ({ scope, input }) => {
  await drain(scope, input.runnerId);
});

export const resumeRunner = action(runnerSchema, async ({ scope, input }) => {
  await resume(scope, input.runnerId);
});

export const revokeRunner = action(runnerSchema, async ({ scope, input }) => {
  await revoke(scope, input.runnerId);
});
