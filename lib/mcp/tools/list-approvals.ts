import { z } from 'zod';
import { approvalStatusSchema } from '@/lib/engine/statuses';
import { listApprovals } from '@/lib/insight/approvals/list-approvals';
import { chainIdOf, chainInput, projectInput, projectOf } from '../inputs';
import { nextCursorSchema, pageInput, readPage } from '../page';
import { approvalSchema, showApproval } from '../show-approval';
import { defineTool, READS } from '../tool';

export const listApprovalsTool = defineTool({
  name: 'list_approvals',
  title: 'List approvals',
  description:
    'Use it to see which commands of agents and which tiers wait for a person’s decision, or were decided. Newest first, waiting ones unless another status is given. Each has the exact command, the agent’s reason, and the digest that decide_approval needs.',
  scopes: ['approvals:read'],
  annotations: READS,
  input: pageInput.extend({
    status: approvalStatusSchema
      .default('pending')
      .meta({ description: 'Only those of this status; pending: they wait.' }),
    project: projectInput.optional(),
    chain: chainInput.optional(),
  }),
  output: z.object({ approvals: z.array(approvalSchema), next_cursor: nextCursorSchema }),
  run: async (call, { status, project, chain, ...range }) => {
    const filter = {
      status,
      project: projectOf(call, project),
      chain: chain === undefined ? undefined : await chainIdOf(call, chain, project),
    };
    const page = await readPage(
      range,
      (part) => listApprovals(call.scope, { ...filter, ...part }),
      (approval) => showApproval(approval, call.links),
    );
    return { approvals: page.rows, next_cursor: page.next_cursor };
  },
});
