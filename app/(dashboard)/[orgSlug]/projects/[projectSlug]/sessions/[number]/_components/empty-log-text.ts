import type { SessionDetail } from '@/lib/insight/sessions/schema';

/** Why a log has nothing in it. */
export function emptyLogText(
  session: Pick<SessionDetail, 'status' | 'endedAt' | 'lastSeq' | 'attempts'>,
): string {
  if (session.lastSeq > 0) {
    return 'The log was deleted when its retention ended. Report, cost and decisions are kept.';
  }
  if (session.endedAt) return 'There is no log: no process was started.';
  const isStarted = session.attempts.some((attempt) => attempt.startedAt);
  return isStarted
    ? 'No output yet. The process has started.'
    : 'No output yet. It has not started.';
}
