'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import {
  createEnrolment as create,
  drainRunner as drain,
  resumeRunner as resume,
  revokeRunner as revoke,
  setRunner as set,
} from '@/lib/fleet/manage-runners';
import { rotateKey as rotate } from '@/lib/fleet/runner-keys';
import { createEnrolmentSchema, setRunnerSchema } from '@/lib/fleet/schema';

const runnerSchema = z.object({ runnerId: z.string() });

/** The token is in the answer and nowhere else. */
export const createEnrolment = action(
  z.object({ enrolment: createEnrolmentSchema }),
  ({ scope, input }) => create(scope, input.enrolment),
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

/** The host fetches its new key automatically. */
export const rotateKey = action(runnerSchema, async ({ scope, input }) => {
  await rotate(scope, input.runnerId);
});

export const setRunner = action(
  runnerSchema.extend({ changes: setRunnerSchema }),
  async ({ scope, input }) => {
    await set(scope, input.runnerId, input.changes);
  },
);
