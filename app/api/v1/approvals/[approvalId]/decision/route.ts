import { approvalParams, decisionBodySchema } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { decideApproval } from '@/lib/engine/approvals/decide-approval';
import { getApproval } from '@/lib/insight/approvals/list-approvals';
import { approvalDtoSchema } from '@/lib/insight/approvals/schema';

export const POST = route({
  method: 'POST',
  path: '/api/v1/approvals/{approvalId}/decision',
  summary: 'Approve or refuse, as the member who created the token',
  auth: 'apiKey',
  scopes: ['approvals:decide'],
  params: approvalParams,
  body: decisionBodySchema,
  response: approvalDtoSchema,
  status: 200,
  handle: async ({ scope, params, body }) => {
    await decideApproval(scope, params.approvalId, body);
    return getApproval(scope, params.approvalId);
  },
  answerAgain: ({ scope, params }) => getApproval(scope, params.approvalId),
});
