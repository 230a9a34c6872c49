'use server';

import { z } from 'zod';
import { action } from '@/lib/actions/action';
import { acknowledgeChain as acknowledge } from '@/lib/chains/service/acknowledge-chain';
import { startChain } from '@/lib/chains/service/start-chain';
import { stopChain as stop } from '@/lib/chains/service/stop-chain';
import { breakDemoService } from '@/lib/demo/break-demo/service';
import { demoFaultSchema } from '@/lib/demo-service/schema';
import { requireId } from '@/lib/ids/require-id';
import { getProjectId } from '@/lib/projects/dashboard/service/get-project-id';

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

export const stopChain = action(z.object({ chainId: z.string() }), async ({ scope, input }) => {
  await stop(scope, requireId('chn', input.chainId));
});

export const acknowledgeChain = action(
  z.object({
    chainId: z.string(),
    note: z.string().trim().max(300, 'A note has at most 300 characters.'),
  }),
  async ({ scope, input }) => {
    await acknowledge(scope, input.chainId, input.note);
  },
);

export const breakDemo = action(z.object({ fault: demoFaultSchema }), async ({ scope, input }) =>
  breakDemoService(scope, input.fault),
);
