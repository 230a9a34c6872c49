import Link from 'next/link';
import { hopMode } from '@/app/_components/sessions/chain-strip';
import { SessionDuration } from '@/app/_components/sessions/session-cost';
import { HopLine } from '@/app/_components/status/hop-line';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { type Tier, TierMark } from '@/app/_components/status/tier-mark';
import type { WorkAttempt } from '@/lib/insight/chains/work/schema';
import type { SessionItem } from '@/lib/insight/sessions/schema';
import { SessionCosts } from './session-costs';

interface SessionStackProps {
  sessions: readonly SessionItem[];
  attempts: readonly WorkAttempt[];
  root: string;
}

/** The lanes of a phone: cards one below the other, joined by how each was reached. */
export function SessionStack({ sessions, attempts, root }: SessionStackProps) {
  return (
    <ol className="flex flex-col">
      {sessions.map((session, index) => (
        <li key={session.id} className="flex flex-col">
          {index > 0 ? (
            <HopLine mode={hopMode(session)} direction="vertical" length={16} className="ml-6" />
          ) : null}
          <Link
            href={`${root}/sessions/${session.number}`}
            className="flex flex-col gap-1 rounded-control border border-line px-3 py-2 hover:bg-hover"
          >
            <span className="flex flex-wrap items-center gap-2">
              <span className="font-semibold">#{session.number}</span>
              <TierMark tier={session.tier as Tier} />
              <StatusBadge kind="session" state={session.status} />
            </span>
            <span className="flex flex-wrap gap-x-3 text-text-2 text-ui tabular-nums">
              {session.model}
              <SessionDuration {...session} />
              <SessionCosts session={session} attempts={attempts} />
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
