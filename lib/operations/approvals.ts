import { decideApproval } from '@/lib/engine/approvals/decide-approval';
import { getApproval, listApprovals } from '@/lib/insight/approvals/list-approvals';
import { approvalDtoSchema, approvalQuerySchema } from '@/lib/insight/approvals/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { decisionBodySchema } from './bodies';
import { operation } from './operation';

export const decide = operation({
  method: 'POST',
  path: '/api/v1/approvals/{approvalId}/decision',
  summary: 'Approve or refuse, as the member who created the token',
  act: 'approval.decide',
  scopes: ['approvals:decide'],
  status: 200,
  body: decisionBodySchema,
  example: {
    verdict: 'approve',
    digest: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    note: 'The backup is done.',
  },
  response: approvalDtoSchema,
  refusals: {
    409: 'It was decided, has expired, was withdrawn, or has another `digest`; `detail` says which.',
  },
  run: ({ scope, params, body }) => decideApproval(scope, params.approvalId, body),
  answer: ({ scope, params }) => getApproval(scope, params.approvalId),
});

export const get = operation({
  method: 'GET',
  path: '/api/v1/approvals/{approvalId}',
  summary: 'Get an approval: what it is about, who has decided, and whether you may',
  act: 'organization.read',
  scopes: ['approvals:read'],
  response: approvalDtoSchema,
  run: ({ scope, params }) => getApproval(scope, params.approvalId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/approvals',
  summary: 'List what waits for approval or was decided, newest first',
  act: 'organization.read',
  scopes: ['approvals:read'],
  query: approvalQuerySchema,
  response: pageSchema(approvalDtoSchema),
  run: ({ scope, query }) => listApprovals(scope, query),
});
