import type { ChainDetail } from '@/lib/insight/chains/schema';
import type { SessionItem } from '@/lib/insight/sessions/schema';
import { formatCost } from '@/lib/platform/format/cost';
import { formatDuration } from '@/lib/platform/format/duration';
import { visibleText } from '@/lib/platform/format/visible-text';

/** Returns a chain as a few lines: what it is, how it ended, a line per session, the total. */
export function chainText(chain: ChainDetail): string {
  const ending = chain.outcome ?? chain.status;
  const lines = [
    `Chain #${chain.number} of ${chain.project.name} (${chain.id}): ${ending}${chain.dryRun ? ', dry run' : ''}`,
    ...(chain.statusText ? [`  ${chain.statusText}`] : []),
    ...chain.sessions.map((session) => `  ${sessionText(session)}`),
    `  total ${costText(chain.totalCostUsd, chain.isCostEstimated)}`,
  ];
  return visibleText(lines.join('\n'));
}

/** `Session #19, tier 2, sonnet, escalated, resumed, 3m 12s, $0.47` */
export function sessionText(session: SessionItem): string {
  const parts = [
    `Session #${session.number}, tier ${session.tier}, ${session.model}`,
    session.status,
    ...(session.mechanism ? [startText(session.mechanism, session.fallback)] : []),
    ...(session.durationMs === null ? [] : [formatDuration(session.durationMs)]),
    costText(session.costUsd, session.isCostEstimated),
  ];
  return visibleText(parts.join(', '));
}

const STARTS: Readonly<Record<string, string>> = {
  fresh: 'fresh start',
  resume: 'resumed',
  handoff: 'from the handoff',
};

function startText(mechanism: string, isFallback: boolean): string {
  return `${STARTS[mechanism] ?? mechanism}${isFallback ? ' (fallback)' : ''}`;
}

function costText(usd: number, isEstimated: boolean): string {
  return `${formatCost(usd * 1_000_000)}${isEstimated ? ' est.' : ''}`;
}
