'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { actionOf } from '@/app/_actions/action-of';
import { acknowledgeChain as acknowledge } from '@/lib/engine/chains/acknowledge-chain';
import { startChain } from '@/lib/engine/chains/start-chain';
import { endsAfter } from '@/lib/identity/pauses';
import { getProjectId } from '@/lib/insight/dashboard/get-overview';
import * as chains from '@/lib/operations/chains';
import * as sessions from '@/lib/operations/sessions';
import { breakDemoService } from '@/lib/projects/demo-service/client';
import { demoFaultSchema } from '@/lib/projects/demo-service/schema';

export const runNow = action(
  z.object({
    project: z.string(),
    dryRun: z.boolean().default(false),
    forceFresh: z.boolean().default(false),
  }),
  async ({ scope, input }) => {
    const projectId = await getProjectId(scope, input.project);
    const { number } = await startChain(scope, {
      projectId,
      trigger: 'manual',
      dryRun: input.dryRun,
      forceFresh: input.forceFresh,
    });
    return { number };
  },
);

export const stopChain = actionOf(chains.stop);

export const acknowledgeChain = action(
  z.object({
    chainId: z.string(),
    note: z.string().trim().max(300, 'A note has at most 300 characters.'),
    /** From now on; null: until its services have recovered. */
    minutes: z.number('Enter a time, such as 30m or 4h.').int().positive().nullable().default(null),
  }),
  async ({ scope, input }) => {
    const { chainId, note, minutes } = input;
    await acknowledge(scope, chainId, { note, endsAt: endsAfter(minutes, new Date()) });
  },
);

/** It waits for a human again. */
export const endAcknowledgement = actionOf(chains.endAcknowledgement);

export const breakDemo = action(z.object({ fault: demoFaultSchema }), async ({ scope, input }) =>
  breakDemoService(scope, input.fault),
);

export const requestCheckpoint = actionOf(sessions.requestCheckpoint);
export const discardSession = actionOf(sessions.discard);
