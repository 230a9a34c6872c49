import { z } from 'zod';
import { route } from '@/lib/api/route';
import { AUDIT_FORMATS, exportAudit } from '@/lib/identity/audit/export-audit';
import { recordExport } from '@/lib/identity/audit/record-export';
import { auditFilterSchema } from '@/lib/identity/audit/schema';
import { requireRecentProofOf } from '@/lib/identity/tenancy/recent-proof';
import { readClient } from '@/lib/platform/http/client-address';
import { fileStream } from '@/lib/platform/http/file-response';

/** What the audit page shows, all pages of it, as a file. */
export const GET = route({
  method: 'GET',
  path: '/{orgSlug}/audit/entries',
  summary: 'The audit log as CSV or JSON lines',
  auth: 'session',
  params: z.object({ orgSlug: z.string() }),
  query: auditFilterSchema.extend({ format: z.enum(AUDIT_FORMATS) }),
  handle: async ({ request, scope, params, query: { format, ...filter } }) => {
    const parts = await exportAudit(scope, filter, format);
    requireRecentProofOf(scope, new Date());
    await recordExport(scope, readClient(request.headers), 'audit log', { format, filter });
    return fileStream(`${params.orgSlug}-audit-log`, format, parts);
  },
});
