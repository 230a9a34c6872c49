'use server';

import { z } from 'zod';
import { action } from '@/lib/actions/action';
import { stopChain } from '@/lib/chains/service/stop-chain';
import { requireId } from '@/lib/ids/require-id';
import {
  pauseOrganization as pauseWhole,
  resumeOrganization as resumeWhole,
} from '@/lib/organizations/pause/service';
import {
  pauseProject as pauseOne,
  resumeProject as resumeOne,
} from '@/lib/projects/service/pause-project';

const reasonSchema = z.string().trim().max(300, 'A reason has at most 300 characters.');

export const pauseOrganization = action(
  z.object({ reason: reasonSchema }),
  async ({ scope, input }) => {
    await pauseWhole(scope, input.reason);
  },
);

export const resumeOrganization = action(
  z.object({ organizationSlug: z.string() }),
  async ({ scope }) => {
    await resumeWhole(scope);
  },
);

export const pauseProject = action(
  z.object({
    project: z.string(),
    reason: reasonSchema,
    /** `chn_…` of the chain that is to be stopped, too. */
    stopChainId: z.string().nullable(),
  }),
  async ({ scope, input }) => {
    await pauseOne(scope, input.project, input.reason);
    if (input.stopChainId) await stopChain(scope, requireId('chn', input.stopChainId));
  },
);

export const resumeProject = action(z.object({ project: z.string() }), async ({ scope, input }) => {
  await resumeOne(scope, input.project);
});
