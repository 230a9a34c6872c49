import { emptyLogText, type LogAttempt } from '@/app/_components/log/entries';
import { LogPart } from '@/app/_components/log/log-part';
import { readLogView } from '@/app/_components/log/places';
import type { Tier } from '@/app/_components/status/tier-mark';
import { TextLink } from '@/app/_components/ui/link';
import type { ProjectPageProps } from '@/app/page-props';
import { listEvents } from '@/lib/insight/sessions/events';
import type { AttemptDto, SessionDetail } from '@/lib/insight/sessions/schema';
import { hasRole } from '@/lib/platform/db/roles';
import { microsOf } from '@/lib/platform/format/cost';
import { loadSession } from './_components/load-session';

/** Drawn by the server; the stream brings the rest. */
const FIRST_EVENTS = 300;
/** A longer log begins further down: this many events are what a page can hold. */
const MAX_EVENTS = 20_000;
/** What stands above an event that a link leads to. */
const CONTEXT_EVENTS = 500;

export default async function LogPage({ params, searchParams }: ProjectPageProps<'number'>) {
  const { scope, session, root } = await loadSession(params);
  const view = readLogView(await searchParams);
  const after = startOf(session.lastSeq, view.event);
  const page = await listEvents(scope, session.id, { after, limit: FIRST_EVENTS });
  const { attempts, child, endedAt, number } = session;
  const isDeleted = page.logState === 'deleted_by_retention';
  const isAll = isDeleted || (page.events.at(-1)?.seq ?? after) >= page.lastSeq;
  return (
    <LogPart
      name={`Session #${number}`}
      sessions={[
        {
          ...{ id: session.id, number, endedAt, lastSeq: session.lastSeq },
          tier: session.tier as Tier,
          tools: attempts.at(-1)?.tools ?? [],
          attempts: attempts.map(toLogAttempt),
          log: { events: page.events, after, isWhole: page.isEnded && isAll },
          part: null,
        },
      ]}
      root={root}
      isEnded={endedAt !== null}
      reviewHref={hasRole(scope.role, 'admin') ? `${root}/settings/tiers` : null}
      emptyText={whyEmpty(session, isDeleted)}
      end={<Continuation session={session} root={root} />}
      page={{
        view,
        download: {
          textHref: `${root}/sessions/${number}/log.txt`,
          jsonHref: `/api/v1/sessions/${session.id}/events?organization=${scope.organizationSlug}`,
        },
        next: child && {
          href: `${root}/sessions/${child.number}`,
          label: `Open Session #${child.number} (Tier ${child.tier})`,
        },
      }}
    />
  );
}

function toLogAttempt(attempt: AttemptDto): LogAttempt {
  const { id, number, purpose, runner, exit, startedAt, endedAt, costUsd } = attempt;
  return {
    ...{ id, number, purpose, startedAt, endedAt },
    runner: runner?.name ?? null,
    end: exit?.kind ?? null,
    endText: exit?.text ?? '',
    exitCode: exit?.code ?? null,
    costMicros: microsOf(costUsd),
  };
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
        <TextLink href={`${root}/sessions/${child.number}`}>Session #{child.number}</TextLink>.
      </span>
      <TextLink href={`${root}/chains/${chainNumber}`}>
        {chainStatus === 'ended' ? `Open Chain #${chainNumber}` : 'Follow the chain'}
      </TextLink>
    </p>
  );
}

/** Why a log has nothing in it; of one that may still come, how far the session is. */
function whyEmpty(
  { endedAt, attempts }: Pick<SessionDetail, 'endedAt' | 'attempts'>,
  isDeleted: boolean,
): string {
  const text = emptyLogText({ endedAt, isDeleted });
  if (endedAt || isDeleted) return text;
  const isStarted = attempts.some((attempt) => attempt.startedAt);
  return `${text} The process has ${isStarted ? '' : 'not '}started.`;
}
