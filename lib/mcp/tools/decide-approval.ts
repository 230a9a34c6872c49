import { z } from 'zod';
import { decideApproval } from '@/lib/engine/approvals/decide-approval';
import { approvalVerdictSchema } from '@/lib/engine/statuses';
import { getApproval } from '@/lib/insight/approvals/list-approvals';
import { idReference } from '../references';
import { approvalSchema, showApproval } from '../show-approval';
import { defineTool } from '../tool';

export const decideApprovalTool = defineTool({
  name: 'decide_approval',
  title: 'Approve or refuse',
  description:
    'Use it only when the person you work for has seen the exact command or tier of one approval and has told you their decision. The decision counts as that of the member who created the token, can’t be taken back, and an approved command runs on a real host. Needs the digest from list_approvals. Identify the approval by id (apr_…) or URL.',
  scopes: ['approvals:decide'],
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  input: z.strictObject({
    approval: z.string().min(1).max(500).meta({ description: 'Id (apr_…) or URL.' }),
    verdict: approvalVerdictSchema.meta({ description: 'approve or refuse.' }),
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'Give the digest of the approval as list_approvals returned it.')
      .meta({ description: 'digest of the approval that the person has seen.' }),
    note: z
      .string()
      .trim()
      .max(1_000, 'A note has at most 1,000 characters.')
      .default('')
      .meta({ description: 'Shown to the agent and beside the decision.' }),
  }),
  output: approvalSchema,
  run: async ({ scope, place, links }, { approval, verdict, digest, note }) => {
    const kind = { prefix: 'apr', noun: 'an approval', list: 'list_approvals shows them' } as const;
    const id = idReference(kind, approval, place);
    await decideApproval(scope, id, { verdict, digest, note });
    return showApproval(await getApproval(scope, id), links);
  },
});
