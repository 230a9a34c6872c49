import type { ChainLogSession } from '@/app/_components/log/chain/chain-session';
import type { Tier } from '@/app/_components/status/tier-mark';
import type { SessionLog } from '@/lib/insight/chains/chain-log';
import type { ChainDetail, ChainWork } from '@/lib/insight/chains/schema';
import { reportSchema } from '@/lib/protocol/report';

/** What the log of a chain is drawn from: each session with its attempts, decisions and events. */
export function logSessions(
  chain: Pick<ChainDetail, 'sessions' | 'decisions'>,
  work: Pick<ChainWork, 'attempts' | 'actions' | 'events'>,
  logs: readonly SessionLog[],
): ChainLogSession[] {
  return chain.sessions.flatMap((session) => {
    const log = logs.find(({ sessionId }) => sessionId === session.id);
    if (!log) return [];
    const { id, number, tier, model, status, startedAt } = session;
    const attempts = work.attempts.filter(({ sessionId }) => sessionId === id);
    const report = reportSchema.safeParse(log.report);
    const isPruned = log.isEnded && log.events.length === 0;
    return {
      ...{ id, number, model, status, startedAt },
      isUnconfined: attempts.at(-1)?.isUnconfined ?? false,
      tier: tier as Tier,
      // Of the same moment as the events, which the session's own row may not be.
      endedAt: log.isEnded ? session.endedAt : null,
      attempts: attempts.map((attempt) => ({
        id: attempt.id,
        number: attempt.number,
        purpose: attempt.purpose,
        mechanism: attempt.mechanism,
        runner: attempt.runner,
        end: attempt.end,
        endText: attempt.endText,
      })),
      decisions: chain.decisions
        .filter(({ sessionId }) => sessionId === id)
        .map((decision) => ({
          id: decision.id,
          attemptId: decision.attemptId,
          kind: decision.kind,
          verdict: decision.verdict,
          reason: decision.reason,
          sentence: decision.sentence,
          at: decision.at,
        })),
      tools: attempts.findLast(({ tools }) => tools.length > 0)?.tools ?? [],
      report: report.success ? report.data : null,
      isReportUnreadable: log.report !== null && !report.success,
      notices: isPruned ? work.events.filter((event) => event.session?.number === number) : [],
      changes: work.actions.filter(({ sessionId }) => sessionId === id).map(({ seq }) => seq),
      events: log.events,
      after: log.after,
      lastSeq: log.lastSeq,
    };
  });
}
