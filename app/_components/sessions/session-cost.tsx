import { microsOf } from '@/lib/platform/format/cost';
import { Cost, Unknown } from '../status/cost';
import { Duration } from '../status/duration';

interface SessionCostProps {
  costUsd: number;
  isCostEstimated: boolean;
  endedAt: string | null;
  className?: string;
}

/** What a session cost by its ledger rows; one that runs has none before its process ends. */
export function SessionCost({ costUsd, isCostEstimated, endedAt, className }: SessionCostProps) {
  const micros = microsOf(costUsd);
  if (endedAt === null && micros === 0) {
    return (
      <Unknown
        reason="A process reports its cost when it ends"
        {...(className ? { className } : {})}
      />
    );
  }
  const form = endedAt === null ? 'running' : isCostEstimated ? 'estimate' : 'final';
  return <Cost micros={micros} form={form} {...(className ? { className } : {})} />;
}

interface SessionDurationProps {
  startedAt: string | null;
  endedAt: string | null;
}

export function SessionDuration({ startedAt, endedAt }: SessionDurationProps) {
  if (!startedAt) return <Unknown reason="It has not started" />;
  return <Duration from={startedAt} to={endedAt} className="whitespace-nowrap" />;
}
