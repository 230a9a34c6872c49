import type { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { writeCsv } from '@/lib/platform/format/csv';
import { spendCsvRows } from '../csv/rows';
import type { usageQuerySchema } from '../schema';
import { getSpend } from './get-spend';

type Query = Required<Pick<z.output<typeof usageQuerySchema>, 'from' | 'to' | 'groupBy'>> &
  Pick<z.output<typeof usageQuerySchema>, 'project' | 'tier' | 'model'>;

/** The rows of a spend page as CSV, with their sum as the last line. */
export async function writeSpend(scope: TenantScope, query: Query): Promise<string> {
  const span = { from: new Date(query.from), to: new Date(query.to) };
  return writeCsv(spendCsvRows(await getSpend(scope, { ...query, ...span }), query.groupBy));
}
