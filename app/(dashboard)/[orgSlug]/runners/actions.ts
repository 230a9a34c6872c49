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
import { createEnrolmentSchema, setRunnerSchema, updateRunnersSchema } from '@/lib/fleet/schema';
import {
  cancelUpdate as cancel,
  requestUpdate as update,
  requestUpdates as updateAll,
} from '@/lib/fleet/updates';

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

/** After its running attempts, and after others of its pool. */
export const updateRunner = action(runnerSchema, async ({ scope, input }) => {
  await update(scope, input.runnerId);
});

export const updateRunners = action(
  z.object(updateRunnersSchema.shape),
  async ({ scope, input }) => {
    await updateAll(scope, input);
  },
);

export const cancelUpdate = action(runnerSchema, async ({ scope, input }) => {
  await cancel(scope, input.runnerId);
});
