import { route } from '@/lib/api/route';
import { listApprovals } from '@/lib/insight/approvals/list-approvals';
import { approvalDtoSchema, approvalQuerySchema } from '@/lib/insight/approvals/schema';
import { pageSchema } from '@/lib/platform/http/cursor';

export const GET = route({
  method: 'GET',
  path: '/api/v1/approvals',
  summary: 'List what waits for approval or was decided, newest first',
  auth: 'apiKey',
  scopes: ['approvals:read'],
  query: approvalQuerySchema,
  response: pageSchema(approvalDtoSchema),
  handle: ({ scope, query }) => listApprovals(scope, query),
});
