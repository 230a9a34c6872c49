import { LiveCost } from '@/app/_components/log/log-provider';
import { Cost, Unknown } from '@/app/_components/status/cost';
import type { ChainDetail, ChainWork } from '@/lib/insight/chains/schema';

interface ChainCostProps {
  chain: ChainDetail;
  work: Pick<ChainWork, 'attempts' | 'ledger'>;
  /** Of this tier alone. */
  tier?: number;
  /** Inside a link. */
  isPlain?: boolean;
}

/** The sum of the ledger; while sessions run, with what they have used since. */
export function ChainCost({ chain, work, tier, isPlain = false }: ChainCostProps) {
  const { attempts, ledger } = work;
  const isOurs = (of: { tier: number }) => tier === undefined || of.tier === tier;
  const rows = ledger.filter(isOurs);
  const sessions = chain.sessions.filter(isOurs);
  const micros = rows.reduce((sum, row) => sum + row.costMicros, 0);
  const isRunning = chain.outcome === null && (tier === undefined || hasLive(sessions));
  if (!isRunning) {
    const hasStarted = attempts.some(
      ({ sessionId, startedAt }) => startedAt && sessions.some(({ id }) => id === sessionId),
    );
    // Without a process nothing was spent, which is known.
    return rows.length === 0 && hasStarted ? (
      <Unknown reason="The process reported no usage" />
    ) : (
      <Cost micros={micros} form={rows.some((row) => row.isEstimate) ? 'estimate' : 'final'} />
    );
  }
  return (
    <LiveCost
      booked={{ micros, attemptIds: rows.map(({ attemptId }) => attemptId) }}
      sessionIds={sessions.map(({ id }) => id)}
      isPlain={isPlain}
    />
  );
}

function hasLive(sessions: readonly { endedAt: string | null }[]): boolean {
  return sessions.some(({ endedAt }) => endedAt === null);
}
