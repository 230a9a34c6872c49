import { SessionCost } from '@/app/_components/sessions/session-cost';
import type { WorkAttempt } from '@/lib/insight/chains/schema';
import type { SessionItem } from '@/lib/insight/sessions/schema';
import { formatCost } from '@/lib/platform/format/cost';

interface SessionCostsProps {
  session: SessionItem;
  attempts: readonly WorkAttempt[];
}

/** What a session cost; after a fallback also what each of its processes did. */
export function SessionCosts({ session, attempts }: SessionCostsProps) {
  const own = attempts.filter((attempt) => attempt.sessionId === session.id && attempt.hasCost);
  return (
    <span className="inline-flex items-center gap-1">
      <SessionCost {...session} />
      {own.length > 1 ? (
        <span className="text-text-3">
          ({own.map((attempt) => formatCost(attempt.costMicros)).join(' + ')})
        </span>
      ) : null}
    </span>
  );
}
