import { z } from 'zod';
import { route } from '@/lib/api/route';
import { recordExport } from '@/lib/identity/audit/record-audit';
import { writeSpend } from '@/lib/insight/spend/get-spend';
import { usageQuerySchema } from '@/lib/insight/spend/schema';
import { readClient } from '@/lib/platform/http/client-address';
import { csvResponse } from '@/lib/platform/http/file-response';

/** What a spend page shows, for a spreadsheet. */
export const GET = route({
  method: 'GET',
  path: '/{orgSlug}/spend/usage.csv',
  summary: 'What was spent as CSV',
  auth: 'session',
  params: z.object({ orgSlug: z.string() }),
  query: usageQuerySchema.required({ from: true, to: true }),
  handle: async ({ request, scope, params, query }) => {
    const span = `${query.from.slice(0, 10)}-${query.to.slice(0, 10)}`;
    const name = [params.orgSlug, query.project, 'spend-by', query.groupBy, span];
    const csv = await writeSpend(scope, query);
    await recordExport(scope, readClient(request.headers), 'spend', { filter: query });
    return csvResponse(`${name.filter(Boolean).join('-')}.csv`, csv);
  },
});
