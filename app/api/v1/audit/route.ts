import { auditEntrySchema, auditFilterSchema } from '@/lib/audit/schema';
import { listAudit } from '@/lib/audit/service/read-audit';
import { pageQuerySchema, pageSchema } from '@/lib/http/cursor';
import { route } from '@/lib/http/route';

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
