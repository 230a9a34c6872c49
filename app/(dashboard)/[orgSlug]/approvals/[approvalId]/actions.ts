'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { decideApproval } from '@/lib/engine/approvals/decide-approval';
import { approvalDecisionSchema } from '@/lib/engine/statuses';

export const decide = action(
  z.object({
    approvalId: z.string(),
    verdict: approvalDecisionSchema,
    /** Of what the page showed. */
    digest: z.string(),
    note: z.string().trim().max(1_000, 'A note has at most 1,000 characters.'),
  }),
  async ({ scope, input: { approvalId, ...decision } }) => {
    await decideApproval(scope, approvalId, decision);
  },
);
