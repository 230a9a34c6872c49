import { route } from '@/lib/api/route';
import { checkAudit } from '@/lib/identity/audit/read-audit';
import { auditVerdictSchema } from '@/lib/identity/audit/schema';

export const GET = route({
  method: 'GET',
  path: '/api/v1/audit/verification',
  summary: 'Verify the audit log by recomputing its hashes',
  auth: 'apiKey',
  scopes: ['audit:read'],
  response: auditVerdictSchema,
  handle: ({ scope }) => checkAudit(scope),
});
