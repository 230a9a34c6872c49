import type { ReactNode } from 'react';
import { FactLine } from '@/app/_components/chains/fact-line';
import { type Booked, LiveCost } from '@/app/_components/log/log-provider';
import { ChainStrip } from '@/app/_components/sessions/chain-strip';
import { RecoveredMark } from '@/app/_components/sessions/recovered-mark';
import { SessionCost, SessionDuration } from '@/app/_components/sessions/session-table';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { type Tier, TierMark } from '@/app/_components/status/tier-mark';
import { cn } from '@/app/_components/ui/cn';
import { Link, TextLink } from '@/app/_components/ui/link';
import { type WaitingRunner, waitSentence, withoutWait } from '@/lib/engine/sweep/wait-sentence';
import type { SessionDetail } from '@/lib/insight/sessions/schema';
import { microsOf } from '@/lib/platform/format/cost';
import { formatContextUse, formatCounted, formatTokens } from '@/lib/platform/format/count';
import { COLLAPSED, COLLAPSED_WHEN_NARROW } from './collapsed-by-a-log';
import { CollapsingHeader } from './collapsing-header';

interface SessionHeaderProps {
  session: SessionDetail;
  root: string;
  sentence: string;
  actions: ReactNode;
}

const MECHANISMS: Record<string, string> = {
  fresh: 'fresh start',
  resume: 'resumed',
  handoff: 'from the handoff',
};

/** States whose sentence says why: it has a line of its own and is never cut. */
const EXPLAINED: readonly string[] = [
  'queued',
  'waiting',
  'stopping',
  'stopped',
  'failed',
  'lost',
  'timed_out',
  'refused',
];

/** One line of state and facts, one of the chain. On a phone a log leaves badge, title and actions. */
export function SessionHeader({ session, root, sentence, actions }: SessionHeaderProps) {
  const { number, tier, status, model, turns, attempts } = session;
  const runner = attempts.findLast((attempt) => attempt.runner)?.runner;
  // Of the last process that was started.
  const isUnconfined = attempts.findLast(({ command }) => command)?.command?.confinement === 'none';
  const recovery = attempts.findLast((attempt) => attempt.recovery)?.recovery;
  return (
    <CollapsingHeader
      title={
        <>
          <StatusBadge kind="session" state={status} />
          <h1 className="text-section tabular-nums">Session #{number}</h1>
        </>
      }
      actions={actions}
      facts={
        <>
          <TierMark tier={tier as Tier} form="long" size="md" className="font-medium text-text" />
          <FactLine>
            {model}
            {runner ? `runner ${runner.name}` : null}
            {isUnconfined ? <span className="text-wait-fg">not confined</span> : null}
            <SessionDuration {...session} />
            {turns > 0 ? formatCounted(turns, 'turn') : null}
            {attempts.length > 1 ? formatCounted(attempts.length, 'attempt') : null}
            <SessionTotal session={session} root={root} />
          </FactLine>
        </>
      }
      sentence={sentence}
      isSentenceWhole={EXPLAINED.includes(status)}
    >
      {/* Scrolls rather than take a second line from the log; the room around it is for focus rings. */}
      <nav
        aria-label={`Chain #${session.chainNumber}`}
        className="-m-1 min-w-0 max-w-full overflow-x-auto p-1 [scrollbar-width:thin] md:[&_li]:shrink-0 md:[&_ol]:flex-nowrap"
      >
        <ChainStrip sessions={session.chainSessions} currentId={session.id} root={root} />
      </nav>
      <p
        className={cn(
          'flex flex-wrap items-center gap-x-4 gap-y-1 text-text-2 text-ui tabular-nums',
          COLLAPSED,
        )}
      >
        <Start session={session} root={root} />
        {recovery ? <RecoveredMark recovery={recovery} root={root} /> : null}
      </p>
    </CollapsingHeader>
  );
}

/** What it cost, or has cost so far; a process that reported nothing has no figure. */
function SessionTotal({ session, root }: { session: SessionDetail; root: string }) {
  if (session.endedAt === null) return <LiveCost booked={bookedOf(session)} />;
  const hasNoFigure =
    session.ledger.length === 0 && session.attempts.some((attempt) => attempt.startedAt);
  return (
    <Link href={`${root}/sessions/${session.number}/ledger`} className="hover:underline">
      {hasNoFigure ? 'cost unknown: no usage reported' : <SessionCost {...session} />}
    </Link>
  );
}

/** What the ledger has of a session. */
export function bookedOf({ costUsd, ledger }: SessionDetail): Booked {
  return { micros: microsOf(costUsd), attemptIds: ledger.map(({ attemptId }) => attemptId) };
}

/** Where it came from and where it led: beside the tabs. */
export function SessionLinks({ session, root }: { session: SessionDetail; root: string }) {
  const { parent, child, chainNumber } = session;
  return (
    <p
      className={cn(
        'flex flex-wrap items-center gap-x-4 gap-y-1 text-text-2 text-ui tabular-nums',
        COLLAPSED_WHEN_NARROW,
      )}
    >
      {parent ? (
        <TextLink href={`${root}/sessions/${parent.number}`} data-key="p">
          Escalated from Session #{parent.number} (Tier {parent.tier})
        </TextLink>
      ) : null}
      {child ? (
        <TextLink href={`${root}/sessions/${child.number}`}>
          Escalated to Session #{child.number} (Tier {child.tier})
        </TextLink>
      ) : null}
      <TextLink href={`${root}/chains/${chainNumber}`} data-key="t">
        Chain #{chainNumber}
      </TextLink>
    </p>
  );
}

/** How it was started, with the context that was weighed for it. */
function Start({ session, root }: { session: SessionDetail; root: string }) {
  const { mechanism, decision, fallback, number } = session;
  if (!mechanism || !decision) return null;
  const { context } = decision;
  return (
    <Link href={`${root}/sessions/${number}/decision`} className="hover:text-text hover:underline">
      {MECHANISMS[mechanism] ?? mechanism}
      {fallback ? ' after a rejected resume' : ''}
      {context && context.usedTokens !== null
        ? ` at ${formatContextUse(context.usedTokens, context.windowTokens)}`
        : ''}
      {context && context.cumulativeTokens !== null
        ? `, ${formatTokens(context.cumulativeTokens)} tokens in all requests`
        : ''}
    </Link>
  );
}

type Facts = Pick<SessionDetail, 'status' | 'statusText' | 'waitReason' | 'tier' | 'attempts'>;

/** State and reason in a sentence, computed from rows. */
export function sessionSentence(session: Facts, runners: readonly WaitingRunner[]): string {
  const { status, statusText, tier, waitReason } = session;
  const last = session.attempts.at(-1);
  switch (status) {
    case 'queued':
      // The sweep has stored which versions are denied.
      if (waitReason === 'version') return statusText;
      // What came before (an attempt that was lost, say), then what it waits for now.
      return `${withoutWait(session)} ${waitSentence(last?.runnerPool ?? 'default', tier, runners)}`.trim();
    case 'waiting':
      return withoutWait(session) || waitSentence(last?.runnerPool ?? 'default', tier, runners);
    case 'running':
      if (!last?.startedAt) {
        return `Runner ${last?.runner?.name ?? '—'} has claimed the session and is starting the process.`;
      }
      return `Tier ${tier} is running on runner ${last.runner?.name ?? '—'}.`;
    case 'stopping':
      return statusText || 'Stopping. The process and everything it started end within 10 s.';
    default:
      return statusText || last?.exit?.text || 'The session ended without a message.';
  }
}
