import { notFound } from 'next/navigation';
import { cache } from 'react';
import type { LogAttempt, LogDecision, LogSession } from '@/app/_components/log/entries';
import type { FollowedSession } from '@/app/_components/log/feed';
import type { Tier } from '@/app/_components/status/tier-mark';
import { orNotFound } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import { pricesOf } from '@/lib/agents/registry';
import { requireMember } from '@/lib/identity/auth/current-user';
import type { SessionLog } from '@/lib/insight/chains/chain-log';
import { getChain } from '@/lib/insight/chains/get-chain';
import type { ChainDetail, ChainWork, WorkAttempt } from '@/lib/insight/chains/schema';
import type { DecisionDto } from '@/lib/insight/sessions/schema';
import { reportSchema } from '@/lib/protocol/report';

/** The chain of the address; leads to the 404 page when it is not there. */
export const loadChain = cache(async (orgSlug: string, projectSlug: string, number: string) => {
  const { scope } = await requireMember(orgSlug);
  if (!/^\d{1,9}$/.test(number)) notFound();
  const chain = await orNotFound(getChain(scope, { project: projectSlug, number: Number(number) }));
  return { scope, chain, root: `/${orgSlug}/projects/${projectSlug}` };
});

/** What the log of a chain is drawn from: each session with its attempts, decisions and events. */
export function logSessions(
  chain: Pick<ChainDetail, 'sessions' | 'decisions'>,
  work: Pick<ChainWork, 'attempts' | 'actions' | 'events'>,
  logs: readonly SessionLog[],
): (LogSession & FollowedSession)[] {
  return chain.sessions.flatMap((session) => {
    const log = logs.find(({ sessionId }) => sessionId === session.id);
    if (!log) return [];
    const { id, number, model, status, statusText, startedAt } = session;
    const { events, after, lastSeq, isEnded } = log;
    const attempts = work.attempts.filter(({ sessionId }) => sessionId === id);
    const report = reportSchema.safeParse(log.report);
    const isPruned = isEnded && events.length === 0;
    return {
      ...{ id, number, status, statusText, isEnded, lastSeq },
      tier: session.tier as Tier,
      // Of the same moment as the events, which the session's own row may not be.
      endedAt: isEnded ? session.endedAt : null,
      tools: attempts.findLast(({ tools }) => tools.length > 0)?.tools ?? [],
      attempts: attempts.map(toLogAttempt),
      log: { events, after, isWhole: isEnded },
      prices: pricesOf(attempts.at(-1)?.harness),
      part: {
        ...{ model, status, startedAt },
        isUnconfined: attempts.at(-1)?.isUnconfined ?? false,
        decisions: chain.decisions.filter(({ sessionId }) => sessionId === id).map(toLogDecision),
        report: report.success ? report.data : null,
        isReportUnreadable: log.report !== null && !report.success,
        notices: isPruned ? work.events.filter((event) => event.session?.number === number) : [],
        changes: work.actions.filter(({ sessionId }) => sessionId === id).map(({ seq }) => seq),
      },
    };
  });
}

/** Without what the browser doesn't draw. */
function toLogAttempt(attempt: WorkAttempt): LogAttempt {
  const { id, number, purpose, runner, end, endText, startedAt, endedAt } = attempt;
  return {
    ...{ id, number, purpose, runner, end, endText, startedAt, endedAt, exitCode: null },
    costMicros: attempt.hasCost ? attempt.costMicros : null,
  };
}

function toLogDecision(decision: DecisionDto): LogDecision {
  const { id, attemptId, kind, verdict, reason, sentence, at } = decision;
  return { id, attemptId, kind, verdict, reason, sentence, at };
}
