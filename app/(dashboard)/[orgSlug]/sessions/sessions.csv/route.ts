import { z } from 'zod';
import { route } from '@/lib/api/route';
import { recordExport } from '@/lib/identity/audit/record-audit';
import { exportQuerySchema, exportSessions } from '@/lib/insight/sessions/export-sessions';
import { readClient } from '@/lib/platform/http/client-address';
import { fileStream } from '@/lib/platform/http/file-response';

/** Exports all pages of the filtered list of sessions as CSV. */
export const GET = route({
  method: 'GET',
  path: '/{orgSlug}/sessions/sessions.csv',
  summary: 'Sessions as CSV',
  auth: 'session',
  params: z.object({ orgSlug: z.string() }),
  query: exportQuerySchema,
  handle: async ({ request, scope, params, query }) => {
    const name = [params.orgSlug, query.project, 'sessions'].filter(Boolean).join('-');
    const parts = await exportSessions(scope, query);
    await recordExport(scope, readClient(request.headers), 'sessions', { filter: query });
    return fileStream(name, 'csv', parts);
  },
});
