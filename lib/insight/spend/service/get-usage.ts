import type { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { InvalidError } from '@/lib/platform/errors';
import { usdOf } from '@/lib/platform/format/money';
import type { UsageDto, usageQuerySchema } from '../schema';
import { getSpend } from './get-spend';

const STANDARD_MS = 30 * 86_400_000;

/** The ledger as the API answers it. Throws InvalidError for a span that ends before it begins. */
export async function getUsage(
  scope: TenantScope,
  { from: fromText, to: toText, groupBy, ...filter }: z.output<typeof usageQuerySchema>,
  now = new Date(),
): Promise<UsageDto> {
  const to = toText ? new Date(toText) : now;
  const from = fromText ? new Date(fromText) : new Date(to.getTime() - STANDARD_MS);
  if (to <= from) {
    throw new InvalidError('`to` must be later than `from`.', {
      to: 'Give a moment later than `from`.',
    });
  }
  const page = await getSpend(scope, { ...filter, from, to, groupBy });
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    groupBy,
    data: page.rows.map(({ key, label, entries, tokens, micros, estimateMicros }) => ({
      key,
      label,
      entries,
      tokens,
      costUsd: usdOf(micros),
      estimatedUsd: usdOf(estimateMicros),
    })),
    rest: page.rest && { groups: page.rest.rows, costUsd: usdOf(page.rest.micros) },
    totalCostUsd: usdOf(page.total.micros),
    totalTokens: page.total.tokens,
    estimatedUsd: usdOf(page.total.estimateMicros),
    attemptsWithoutUsage: page.missing.reduce((sum, each) => sum + each.count, 0),
  };
}
