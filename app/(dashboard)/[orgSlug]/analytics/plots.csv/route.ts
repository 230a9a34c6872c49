import { z } from 'zod';
import { route } from '@/lib/api/route';
import { recordExport } from '@/lib/identity/audit/record-audit';
import { PLOT_RANGES } from '@/lib/insight/analytics/buckets';
import { PLOT_NAMES, writePlots } from '@/lib/insight/analytics/get-plots';
import { isTimeZone } from '@/lib/platform/format/time-zone';
import { readClient } from '@/lib/platform/http/client-address';
import { csvResponse } from '@/lib/platform/http/file-response';

const momentSchema = z.iso.datetime({ offset: true }).transform((moment) => new Date(moment));

/** The figures of one plot, or of all of them, for a spreadsheet. */
export const GET = route({
  method: 'GET',
  path: '/{orgSlug}/analytics/plots.csv',
  summary: 'The plots as CSV',
  auth: 'session',
  params: z.object({ orgSlug: z.string() }),
  query: z.object({
    plot: z.enum(PLOT_NAMES).optional(),
    range: z.enum(PLOT_RANGES).default('7d'),
    /** Together they stand above the range. */
    from: momentSchema.optional(),
    to: momentSchema.optional(),
    timeZone: z
      .string()
      .refine(isTimeZone, 'Name a time zone, such as Europe/Berlin.')
      .default('UTC'),
    project: z.string().optional(),
  }),
  handle: async ({ request: { headers }, scope, params, query: { from, to, ...query } }) => {
    const isSpan = from && to && from < to;
    const name = [params.orgSlug, query.project, query.plot ?? 'plots', isSpan ? '' : query.range];
    const request = isSpan ? { ...query, range: { from, to } } : query;
    const csv = await writePlots(scope, request);
    await recordExport(scope, readClient(headers), 'analytics', { filter: request });
    return csvResponse(`${name.filter(Boolean).join('-')}.csv`, csv);
  },
});
