import { approvalParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getApproval } from '@/lib/insight/approvals/list-approvals';
import { approvalDtoSchema } from '@/lib/insight/approvals/schema';

export const GET = route({
  method: 'GET',
  path: '/api/v1/approvals/{approvalId}',
  summary: 'Get an approval: what it is about, who has decided, and whether you may',
  auth: 'apiKey',
  scopes: ['approvals:read'],
  params: approvalParams,
  response: approvalDtoSchema,
  handle: ({ scope, params }) => getApproval(scope, params.approvalId),
});
