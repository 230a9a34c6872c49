/** Short forms of what the REST API says about sessions, for comparing. */
import type { SessionDetail, SessionEventDto } from '@/lib/insight/sessions/schema';

/** How each attempt was started and how it ended. */
export function attemptsOf(session: SessionDetail | undefined) {
  return session?.attempts.map(({ number, mechanism, exit }) => [number, mechanism, exit?.kind]);
}

/** Verdict and reason of every start, in order. */
export function startsOf(session: SessionDetail | undefined) {
  return session?.decisions
    .filter(({ kind }) => kind === 'continuation')
    .map(({ verdict, reason }) => [verdict, reason]);
}

/** `level code` of what the control plane and the runner noted. */
export function noticesOf(events: SessionEventDto[]): string[] {
  return events
    .filter(({ kind }) => kind === 'notice')
    .map(({ payload }) => `${payload.level} ${payload.code}`);
}

export function noticeText(events: SessionEventDto[], code: string): unknown {
  return events.find(({ kind, payload }) => kind === 'notice' && payload.code === code)?.payload
    .message;
}
