import { auditVerdictSchema } from '@/lib/audit/schema';
import { checkAudit } from '@/lib/audit/service/read-audit';
import { route } from '@/lib/http/route';

export const GET = route({
  method: 'GET',
  path: '/api/v1/audit/verification',
  summary: 'Compute the hashes of the whole audit log again',
  auth: 'apiKey',
  scopes: ['audit:read'],
  response: auditVerdictSchema,
  handle: ({ scope }) => checkAudit(scope),
});
