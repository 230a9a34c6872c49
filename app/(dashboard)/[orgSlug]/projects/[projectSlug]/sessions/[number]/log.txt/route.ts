import { z } from 'zod';
import { route } from '@/lib/api/route';
import { recordExport } from '@/lib/identity/audit/record-audit';
import { writeLog } from '@/lib/insight/sessions/write-log';
import { readClient } from '@/lib/platform/http/client-address';

/** The whole log as plain text, for people who read it elsewhere. */
export const GET = route({
  method: 'GET',
  path: '/{orgSlug}/projects/{projectSlug}/sessions/{number}/log.txt',
  summary: 'The log of a session as plain text',
  auth: 'session',
  params: z.object({
    orgSlug: z.string(),
    projectSlug: z.string(),
    number: z.coerce.number().int().positive(),
  }),
  handle: async ({ request, scope, params }) => {
    const session = { project: params.projectSlug, number: params.number };
    const log = await writeLog(scope, session);
    await recordExport(scope, readClient(request.headers), 'session log', session);
    return log;
  },
});
