import type { ReactNode } from 'react';
import { FactLine } from '@/app/_components/chains/fact-line';
import { LiveCost } from '@/app/_components/log/live/live-cost';
import { ChainStrip } from '@/app/_components/sessions/chain-strip';
import { RecoveredMark } from '@/app/_components/sessions/recovered-mark';
import { SessionCost, SessionDuration } from '@/app/_components/sessions/session-cost';
import { PageHeader } from '@/app/_components/shell/page-header';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { type Tier, TierMark } from '@/app/_components/status/tier-mark';
import { CopyId } from '@/app/_components/ui/copy-id';
import { Link } from '@/app/_components/ui/link';
import { type WaitingRunner, waitSentence, withoutWait } from '@/lib/engine/sweep/wait-sentence';
import type { SessionDetail } from '@/lib/insight/sessions/schema';
import { formatContextUse, formatCounted, formatTokens } from '@/lib/platform/format/count';

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

export function SessionHeader({ session, root, sentence, actions }: SessionHeaderProps) {
  const { number, tier, status, model, turns, attempts, parent, child } = session;
  const runner = attempts.findLast((attempt) => attempt.runner)?.runner;
  const recovery = attempts.findLast((attempt) => attempt.recovery)?.recovery;
  return (
    <div className="flex flex-col gap-3">
      <PageHeader
        title={`Session #${number}`}
        marks={
          <>
            <StatusBadge kind="session" state={status} />
            <TierMark tier={tier as Tier} form="long" size="md" className="font-medium" />
          </>
        }
        meta={
          <>
            <FactLine>
              {model}
              {runner ? `runner ${runner.name}` : null}
              <SessionDuration {...session} />
              {turns > 0 ? formatCounted(turns, 'turn') : null}
              {session.endedAt === null && session.costUsd === 0 ? (
                <LiveCost />
              ) : (
                <Link href={`${root}/sessions/${number}/ledger`} className="hover:underline">
                  <SessionCost {...session} />
                </Link>
              )}
            </FactLine>
            <CopyId id={session.id} label="session id" className="max-md:hidden" />
          </>
        }
        sentence={sentence}
        actions={actions}
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <ChainStrip
          sessions={session.chainSessions}
          currentId={session.id}
          root={root}
          chainNumber={session.chainNumber}
        />
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-text-2 text-ui">
          {parent ? (
            <Link href={`${root}/sessions/${parent.number}`} data-key="p" className="link">
              Escalated from Session #{parent.number} (Tier {parent.tier})
            </Link>
          ) : null}
          {child ? (
            <Link href={`${root}/sessions/${child.number}`} className="link">
              Escalated to Session #{child.number} (Tier {child.tier})
            </Link>
          ) : null}
          <Link href={`${root}/chains/${session.chainNumber}`} data-key="t" className="link">
            Chain #{session.chainNumber}
          </Link>
          <Start session={session} root={root} />
          {recovery ? <RecoveredMark recovery={recovery} root={root} /> : null}
        </p>
      </div>
    </div>
  );
}

/** How it was started, with the context that was weighed for it. */
function Start({ session, root }: { session: SessionDetail; root: string }) {
  const { mechanism, decision, fallback, number } = session;
  if (!mechanism || !decision) return null;
  const { context } = decision;
  return (
    <Link
      href={`${root}/sessions/${number}/decision`}
      className="tabular-nums hover:text-text hover:underline"
    >
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
        return `Runner ${last?.runner?.name ?? '—'} has taken it and starts the process.`;
      }
      return `Tier ${tier} is at work on runner ${last.runner?.name ?? '—'}.`;
    case 'stopping':
      return (
        statusText || 'It was told to stop. The process and everything it started end within 10 s.'
      );
    default:
      return statusText || last?.exit?.text || 'It ended without a message.';
  }
}
