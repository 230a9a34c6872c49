import { z } from 'zod';
import { route } from '@/lib/api/route';
import { exportQuerySchema, exportSessions } from '@/lib/insight/sessions/export-sessions';
import { fileStream } from '@/lib/platform/http/file-response';

/** Exports all pages of the filtered list of sessions as CSV. */
export const GET = route({
  method: 'GET',
  path: '/{orgSlug}/sessions/sessions.csv',
  summary: 'Sessions as CSV',
  auth: 'session',
  params: z.object({ orgSlug: z.string() }),
  query: exportQuerySchema,
  handle: async ({ scope, params, query }) => {
    const name = [params.orgSlug, query.project, 'sessions'].filter(Boolean).join('-');
    return fileStream(name, 'csv', await exportSessions(scope, query));
  },
});
