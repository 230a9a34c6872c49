import { incidentParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { recordExport } from '@/lib/identity/audit/record-export';
import { getPostMortem } from '@/lib/insight/post-mortem/get-post-mortem';
import { readClient } from '@/lib/platform/http/client-address';
import { markdownResponse } from '@/lib/platform/http/file-response';

export const GET = route({
  method: 'GET',
  path: '/api/v1/incidents/{incidentId}/post-mortem',
  summary: 'Export an incident as a post-mortem in Markdown',
  auth: 'apiKey',
  scopes: ['incidents:read'],
  params: incidentParams,
  handle: async ({ request, scope, params: { incidentId } }) => {
    const { fileName, text } = await getPostMortem(scope, incidentId);
    await recordExport(scope, readClient(request.headers), 'post-mortem', { incidentId });
    return markdownResponse(fileName, text);
  },
});
