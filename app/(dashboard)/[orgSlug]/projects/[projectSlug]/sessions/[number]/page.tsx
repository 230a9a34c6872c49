import { LiveLog } from '@/app/_components/log/live/live-log';
import { readLogView } from '@/app/_components/log/live/log-view';
import type { Tier } from '@/app/_components/status/tier-mark';
import { Link } from '@/app/_components/ui/link';
import { type LogState, listEvents } from '@/lib/insight/sessions/events';
import type { SessionDetail } from '@/lib/insight/sessions/schema';
import { hasRole } from '@/lib/platform/db/roles';
import { loadSession, type SessionParams } from './_components/load-session';

/** Drawn by the server; the stream brings the rest. */
const FIRST_EVENTS = 300;
/** A longer log begins further down: this many events are what a page can hold. */
const MAX_EVENTS = 20_000;
/** What stands above an event that a link leads to. */
const CONTEXT_EVENTS = 500;

interface LogPageProps {
  params: Promise<SessionParams>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function LogPage({ params, searchParams }: LogPageProps) {
  const { scope, session, root } = await loadSession(params);
  const view = readLogView(await searchParams);
  const after = startOf(session.lastSeq, view.event);
  const page = await listEvents(scope, session.id, { after, limit: FIRST_EVENTS });
  const { attempts, child, tier, number } = session;
  const base = `${root}/sessions/${number}`;
  return (
    <LiveLog
      facts={{
        sessionNumber: number,
        tier: tier as Tier,
        tools: attempts.at(-1)?.tools ?? [],
        reviewHref: hasRole(scope.role, 'admin') ? `${root}/settings/tiers` : null,
        next: child
          ? {
              href: `${root}/sessions/${child.number}`,
              label: `Open Session #${child.number} (Tier ${child.tier})`,
            }
          : null,
        reportHref: `${base}/report`,
      }}
      continuation={<Continuation session={session} root={root} />}
      attempts={attempts}
      initial={page.events}
      after={after}
      eventCount={session.lastSeq - after}
      isEnded={session.endedAt !== null}
      isWhole={
        page.isEnded &&
        (page.logState === 'deleted_by_retention' ||
          (page.events.at(-1)?.seq ?? after) >= page.lastSeq)
      }
      view={view}
      emptyText={emptyLogText(session, page.logState)}
      textHref={`${base}/log.txt`}
      jsonHref={`/api/v1/sessions/${session.id}/events?organization=${scope.organizationSlug}`}
    />
  );
}

function startOf(lastSeq: number, event: number | null): number {
  const latest = Math.max(0, lastSeq - MAX_EVENTS);
  return event === null ? latest : Math.min(latest, Math.max(0, event - CONTEXT_EVENTS));
}

interface ContinuationProps {
  session: Pick<SessionDetail, 'child' | 'chainSessions' | 'chainNumber' | 'chainStatus'>;
  root: string;
}

/** The tier that took over, with the way to it and to the chain's own page. */
function Continuation({ session, root }: ContinuationProps) {
  const { child, chainSessions, chainNumber, chainStatus } = session;
  if (!child) return null;
  const isOver = chainSessions.find(({ id }) => id === child.id)?.endedAt !== null;
  return (
    <p
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-3 py-2 text-ui"
    >
      <span>
        Tier {child.tier} {isOver ? 'continued' : 'continues'} in{' '}
        <Link href={`${root}/sessions/${child.number}`} className="link">
          Session #{child.number}
        </Link>
        .
      </span>
      <Link href={`${root}/chains/${chainNumber}`} className="link">
        {chainStatus === 'ended' ? `Open Chain #${chainNumber}` : 'Follow the chain'}
      </Link>
    </p>
  );
}

/** Why a log has nothing in it. */
function emptyLogText(
  session: Pick<SessionDetail, 'endedAt' | 'attempts'>,
  logState: LogState,
): string {
  if (logState === 'deleted_by_retention') {
    return 'The log was deleted when its retention ended. Report, cost and decisions are kept.';
  }
  if (session.endedAt) return 'There is no log: no process was started.';
  const isStarted = session.attempts.some((attempt) => attempt.startedAt);
  return isStarted
    ? 'No output yet. The process has started.'
    : 'No output yet. The process has not started.';
}
