import { route } from '@/lib/api/route';
import { listAudit } from '@/lib/identity/audit/read-audit';
import { auditEntrySchema, auditFilterSchema } from '@/lib/identity/audit/schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';

export const GET = route({
  method: 'GET',
  path: '/api/v1/audit',
  summary: 'List the audit log, newest first',
  auth: 'apiKey',
  scopes: ['audit:read'],
  query: pageQuerySchema.extend(auditFilterSchema.shape),
  response: pageSchema(auditEntrySchema),
  handle: ({ scope, query }) => listAudit(scope, query),
});
