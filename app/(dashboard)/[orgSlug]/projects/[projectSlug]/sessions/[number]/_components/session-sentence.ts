import { type WaitingRunner, waitSentence, withoutWait } from '@/lib/engine/sweep/wait-sentence';
import type { SessionDetail } from '@/lib/insight/sessions/schema';

type Facts = Pick<SessionDetail, 'status' | 'statusText' | 'tier' | 'attempts'>;

/** State and reason in a sentence, computed from rows. */
export function sessionSentence(session: Facts, runners: readonly WaitingRunner[]): string {
  const { status, statusText, tier } = session;
  const last = session.attempts.at(-1);
  switch (status) {
    case 'queued':
      // What came before (an attempt that was lost, say), then what it waits for now.
      return `${withoutWait(statusText)} ${waitSentence(last?.runnerPool ?? 'default', tier, runners)}`.trim();
    case 'waiting':
      return withoutWait(statusText) || waitSentence(last?.runnerPool ?? 'default', tier, runners);
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
      return statusText || last?.exit?.text || 'It ended without a word.';
  }
}
