import { Link } from '@/app/_components/ui/link';
import type { WorkAttempt } from '@/lib/insight/chains/schema';
import type { SessionItem } from '@/lib/insight/sessions/schema';
import { formatCost } from '@/lib/platform/format/cost';
import { HopLine, type HopMode } from '../status/hop-line';
import { stateLook } from '../status/states';
import { StatusIcon } from '../status/status-badge';
import { type Tier, TierMark } from '../status/tier-mark';
import { cn } from '../ui/cn';
import { SessionCost, SessionDuration } from './session-table';

interface ChainStripProps {
  sessions: readonly SessionItem[];
  /** Of the chain: a session that fell back to another model shows what each of its attempts cost. */
  attempts?: readonly WorkAttempt[];
  /** The session that the page shows. */
  currentId?: string;
  /** Of the project: "/acme/projects/checkout". */
  root: string;
}

/** Every session of the chain, in order, with how each one was reached. */
export function ChainStrip({ sessions, attempts = [], currentId, root }: ChainStripProps) {
  return (
    <ol aria-label="Sessions" className="flex flex-wrap items-stretch gap-y-2 max-md:flex-col">
      {sessions.map((session, index) => (
        <li key={session.id} className="flex items-center max-md:items-stretch">
          {index > 0 ? (
            <HopLine mode={hopMode(session)} length={28} className="mx-1 max-md:hidden" />
          ) : null}
          <StripCell
            session={session}
            attempts={attempts.filter(({ sessionId }) => sessionId === session.id)}
            href={`${root}/sessions/${session.number}`}
            isCurrent={session.id === currentId}
          />
        </li>
      ))}
    </ol>
  );
}

/** How a session was started, as a line; one that has not been decided on waits. */
export function hopMode(session: { mechanism: string | null; status: string }): HopMode {
  if (session.status === 'refused') return 'refuse';
  switch (session.mechanism) {
    case 'resume':
    case 'handoff':
    case 'transcript':
    case 'fresh':
      return session.mechanism;
    default:
      return 'wait';
  }
}

interface StripCellProps {
  session: SessionItem;
  attempts: readonly WorkAttempt[];
  href: string;
  isCurrent: boolean;
}

function StripCell({ session, attempts, href, isCurrent }: StripCellProps) {
  const costs = attempts.filter(({ hasCost }) => hasCost);
  return (
    <Link
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      className={cn(
        'flex flex-wrap items-center gap-x-2.5 gap-y-0.5 rounded-control border border-line bg-surface px-2.5 py-1.5 text-meta text-text-2 tabular-nums hover:bg-hover max-md:flex-1',
        isCurrent && 'border-ink text-text',
      )}
    >
      <span className="flex items-center gap-1.5">
        <StatusIcon kind="session" state={session.status} />
        <span className="font-semibold text-text">Session #{session.number}</span>
        {stateLook('session', session.status).word}
      </span>
      <TierMark tier={session.tier as Tier} />
      <span>{session.model}</span>
      <SessionCost {...session} />
      {costs.length > 1 ? (
        <span className="text-text-3">
          ({costs.map(({ costMicros }) => formatCost(costMicros)).join(' + ')})
        </span>
      ) : null}
      <SessionDuration {...session} />
    </Link>
  );
}
