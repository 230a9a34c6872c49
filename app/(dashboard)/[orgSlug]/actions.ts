'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { actionOf } from '@/app/_actions/action-of';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { pauseRunner as pauseOneRunner } from '@/lib/fleet/runner-pauses';
import {
  dismissChecklist as dismiss,
  pauseOrganization as pauseWhole,
} from '@/lib/identity/organizations/service';
import { endsAfter } from '@/lib/identity/pauses';
import * as approvals from '@/lib/operations/approvals';
import * as organization from '@/lib/operations/organization';
import * as runners from '@/lib/operations/runners';
import { requireId } from '@/lib/platform/ids';
import {
  pauseProject as pauseOne,
  pauseTier as pauseOneTier,
  resumeProject as resumeOne,
  resumeTier as resumeOneTier,
} from '@/lib/projects/pauses';
import { tierSchema } from '@/lib/protocol/spec';

const pauseSchema = z.object({
  reason: z.string().trim().max(300, 'A reason has at most 300 characters.'),
  /** From now on; null: until someone resumes. */
  minutes: z.number('Enter a time, such as 30m or 4h.').int().positive().nullable().default(null),
});
const tierOfProject = z.object({ project: z.string(), tier: tierSchema });

export const pauseOrganization = action(pauseSchema, async ({ scope, input }) => {
  await pauseWhole(scope, asPause(input));
});

export const resumeOrganization = actionOf(organization.resume);

export const dismissChecklist = action(
  z.object({ organizationSlug: z.string() }),
  async ({ scope }) => {
    await dismiss(scope);
  },
);

export const pauseProject = action(
  pauseSchema.extend({
    project: z.string(),
    /** `chn_…` of the chain that is to be stopped, too. */
    stopChainId: z.string().nullable(),
  }),
  async ({ scope, input }) => {
    await pauseOne(scope, input.project, asPause(input));
    if (input.stopChainId) await stopChain(scope, requireId('chn', input.stopChainId));
  },
);

export const resumeProject = action(z.object({ project: z.string() }), async ({ scope, input }) => {
  await resumeOne(scope, input.project);
});

export const pauseTier = action(
  pauseSchema.extend(tierOfProject.shape),
  async ({ scope, input }) => {
    await pauseOneTier(scope, input, asPause(input));
  },
);

export const resumeTier = action(tierOfProject, async ({ scope, input }) => {
  await resumeOneTier(scope, input);
});

export const pauseRunner = action(
  pauseSchema.extend({ runnerId: z.string() }),
  async ({ scope, input }) => {
    await pauseOneRunner(scope, input.runnerId, asPause(input));
  },
);

export const endRunnerPause = actionOf(runners.endPause);

function asPause({ reason, minutes }: z.infer<typeof pauseSchema>) {
  return { reason, endsAt: endsAfter(minutes, new Date()) };
}

/** `digest`: of what the page showed. */
export const decide = actionOf(approvals.decide);
