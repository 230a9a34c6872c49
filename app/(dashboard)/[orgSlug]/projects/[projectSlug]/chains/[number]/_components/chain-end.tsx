import { Cost } from '@/app/_components/status/cost';
import { Duration } from '@/app/_components/status/duration';
import { StatusBadge } from '@/app/_components/status/status-badge';
import type { ChainDetail } from '@/lib/insight/chains/schema';
import { microsOf } from '@/lib/platform/format/cost';

/** The last row of the log: how the chain ended. Why is the decision above it. */
export function ChainEnd({ chain }: { chain: ChainDetail }) {
  const { number, outcome, startedAt, endedAt } = chain;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 tabular-nums">
      Chain #{number} ended:
      <StatusBadge kind="chain" state={outcome ?? 'failed'} reason="" />
      {startedAt && endedAt ? <Duration from={startedAt} to={endedAt} /> : null}
      {chain.sessions.length > 0 ? (
        <Cost
          micros={microsOf(chain.totalCostUsd)}
          form={chain.isCostEstimated ? 'estimate' : 'final'}
        />
      ) : null}
    </p>
  );
}
