/** Tokens that a scripted API hands out, and those of ledger lines to compare them with. */
import type { BookedLine } from '@/lib/agents/booking';
import type { ReplyUsage } from '../../support/messages-api/reply';

/** Distinct per tier, so that a figure booked on the wrong one shows. */
export const spent = (n: number): Partial<ReplyUsage> => ({
  inputTokens: 1_000 * n,
  outputTokens: 100 * n,
  cacheReadTokens: 10_000 * n,
  cacheWriteTokens: 2_000 * n,
});

export function tokensByModel(lines: readonly BookedLine[]): Record<string, ReplyUsage> {
  const sums: Record<string, ReplyUsage> = {};
  for (const { model, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } of lines) {
    const sum = sums[model];
    sums[model] = {
      inputTokens: (sum?.inputTokens ?? 0) + inputTokens,
      outputTokens: (sum?.outputTokens ?? 0) + outputTokens,
      cacheReadTokens: (sum?.cacheReadTokens ?? 0) + cacheReadTokens,
      cacheWriteTokens: (sum?.cacheWriteTokens ?? 0) + cacheWriteTokens,
    };
  }
  return sums;
}

/** What was added to the sums of `before`, by model; models of which nothing was added are left out. */
export function tokensSince(
  before: Record<string, ReplyUsage>,
  now: Record<string, ReplyUsage>,
): Record<string, ReplyUsage> {
  const added = Object.entries(now).map(([model, usage]) => {
    const known = before[model];
    return [
      model,
      {
        inputTokens: usage.inputTokens - (known?.inputTokens ?? 0),
        outputTokens: usage.outputTokens - (known?.outputTokens ?? 0),
        cacheReadTokens: usage.cacheReadTokens - (known?.cacheReadTokens ?? 0),
        cacheWriteTokens: usage.cacheWriteTokens - (known?.cacheWriteTokens ?? 0),
      },
    ] as const;
  });
  return Object.fromEntries(added.filter(([, { inputTokens }]) => inputTokens > 0));
}
