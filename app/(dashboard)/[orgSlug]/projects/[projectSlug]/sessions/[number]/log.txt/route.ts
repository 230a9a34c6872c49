import { z } from 'zod';
import { route } from '@/lib/api/route';
import { writeLog } from '@/lib/insight/sessions/write-log';

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
  handle: ({ scope, params }) =>
    writeLog(scope, { project: params.projectSlug, number: params.number }),
});
