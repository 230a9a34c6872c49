import { checkAudit, listAudit } from '@/lib/identity/audit/read-audit';
import {
  auditEntrySchema,
  auditFilterSchema,
  auditVerdictSchema,
} from '@/lib/identity/audit/schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { operation } from './operation';

export const list = operation({
  method: 'GET',
  path: '/api/v1/audit',
  summary: 'List the audit log, newest first',
  act: 'audit.read',
  scopes: ['audit:read'],
  query: pageQuerySchema.extend(auditFilterSchema.shape),
  response: pageSchema(auditEntrySchema),
  run: ({ scope, query }) => listAudit(scope, query),
});

export const verify = operation({
  method: 'GET',
  path: '/api/v1/audit/verification',
  summary: 'Verify the audit log by recomputing its hashes',
  act: 'audit.read',
  scopes: ['audit:read'],
  response: auditVerdictSchema,
  run: ({ scope }) => checkAudit(scope),
});
