import { ChainCostSoFar } from '@/app/_components/log/chain/chain-feed-context';
import { Cost } from '@/app/_components/status/cost';
import { pricesOf } from '@/lib/agents/registry';
import type { ChainDetail, ChainWork } from '@/lib/insight/chains/schema';

interface ChainCostProps {
  chain: ChainDetail;
  work: Pick<ChainWork, 'attempts' | 'ledger'>;
}

/** The sum of the ledger; while the chain runs, with what its sessions have used since. */
export function ChainCost({ chain, work: { attempts, ledger } }: ChainCostProps) {
  const micros = ledger.reduce((sum, row) => sum + row.costMicros, 0);
  if (chain.outcome !== null) {
    return <Cost micros={micros} form={chain.isCostEstimated ? 'estimate' : 'final'} />;
  }
  const running = chain.sessions.filter(
    ({ id, endedAt }) => endedAt === null && !ledger.some(({ sessionId }) => sessionId === id),
  );
  return (
    <ChainCostSoFar
      bookedMicros={ledger.length > 0 ? micros : null}
      running={running.map(({ id }) => ({
        sessionId: id,
        prices: pricesOf(attempts.findLast(({ sessionId }) => sessionId === id)?.harness),
      }))}
    />
  );
}
