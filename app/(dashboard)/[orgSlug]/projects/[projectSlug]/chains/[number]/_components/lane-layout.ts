/** Where the bars of a chain's timeline stand, in shares of its width. Pure. */
interface LaneAttempt {
  sessionId: string;
  startedAt: string | null;
  endedAt: string | null;
}

interface LaneSession {
  id: string;
  tier: number;
  createdAt: string;
  endedAt: string | null;
}

export interface LaneBar {
  sessionId: string;
  tier: number;
  /** 0 to 1. */
  start: number;
  end: number;
  /** One a process; a session that fell back has two. */
  segments: readonly { start: number; end: number }[];
}

/**
 * From the chain's start to its end, or to now. A session begins when the one before made it, so
 * that its wait for a runner shows. The empty chain has no bars.
 */
export function laneBars(
  sessions: readonly LaneSession[],
  attempts: readonly LaneAttempt[],
  nowMs: number,
): LaneBar[] {
  const begin = (session: LaneSession) => Date.parse(session.createdAt);
  const finish = (endedAt: string | null) => (endedAt ? Date.parse(endedAt) : nowMs);
  const from = Math.min(...sessions.map(begin));
  const to = Math.max(...sessions.map((session) => finish(session.endedAt)));
  const span = Math.max(1, to - from);
  const share = (ms: number) => Math.min(1, Math.max(0, (ms - from) / span));
  return sessions.map((session) => ({
    sessionId: session.id,
    tier: session.tier,
    start: share(begin(session)),
    end: share(finish(session.endedAt)),
    segments: attempts
      .filter((attempt) => attempt.sessionId === session.id && attempt.startedAt !== null)
      .map((attempt) => ({
        start: share(Date.parse(attempt.startedAt ?? session.createdAt)),
        end: share(finish(attempt.endedAt)),
      })),
  }));
}
