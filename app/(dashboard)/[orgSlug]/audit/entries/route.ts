import { z } from 'zod';
import { route } from '@/lib/api/route';
import { AUDIT_FORMATS, exportAudit } from '@/lib/identity/audit/export-audit';
import { auditFilterSchema } from '@/lib/identity/audit/schema';
import { fileStream } from '@/lib/platform/http/file-response';

/** What the audit page shows, all pages of it, as a file. */
export const GET = route({
  method: 'GET',
  path: '/{orgSlug}/audit/entries',
  summary: 'The audit log as CSV or JSON lines',
  auth: 'session',
  params: z.object({ orgSlug: z.string() }),
  query: auditFilterSchema.extend({ format: z.enum(AUDIT_FORMATS) }),
  handle: async ({ scope, params, query: { format, ...filter } }) =>
    fileStream(`${params.orgSlug}-audit-log`, format, await exportAudit(scope, filter, format)),
});
