import { z } from 'zod';
import { route } from '@/lib/api/route';
import { exportAudit } from '@/lib/identity/audit/export-audit';
import { recordExport } from '@/lib/identity/audit/record-audit';
import { AUDIT_FORMATS, auditFilterSchema } from '@/lib/identity/audit/schema';
import { requireRecentProofOf } from '@/lib/identity/tenancy/recent-proof';
import { ProofRequiredError } from '@/lib/platform/errors';
import { readClient } from '@/lib/platform/http/client-address';
import { fileStream } from '@/lib/platform/http/file-response';
import { pageToConfirm } from '../_components/audit-view';

/**
 * Downloads every entry that matches the audit page's filters. Without a recent confirmation, a browser
 * is redirected to that page, which asks for one.
 */
export const GET = route({
  method: 'GET',
  path: '/{orgSlug}/audit/entries',
  summary: 'The audit log as CSV or JSON lines',
  auth: 'session',
  params: z.object({ orgSlug: z.string() }),
  query: auditFilterSchema.extend({ format: z.enum(AUDIT_FORMATS) }),
  handle: async ({ request, scope, params, query: { format, ...filter } }) => {
    const parts = await exportAudit(scope, filter, format);
    try {
      requireRecentProofOf(scope, new Date());
    } catch (error) {
      const isOpened = request.headers.get('accept')?.includes('text/html');
      if (!(error instanceof ProofRequiredError) || !isOpened) throw error;
      return new Response(null, {
        status: 303,
        headers: { location: pageToConfirm(params.orgSlug, filter, format, new Date()) },
      });
    }
    await recordExport(scope, readClient(request.headers), 'audit log', { format, filter });
    return fileStream(`${params.orgSlug}-audit-log`, format, parts);
  },
});
