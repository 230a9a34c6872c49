import type { Redactor } from '@/lib/platform/redaction/redactor';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptSpool } from '../spool/attempt-spool';

/** The one way by which events of an attempt leave it: redacted, on disk, then announced. */
export interface AttemptLog {
  /** @returns the event as it was kept */
  add<Event extends RunnerEvent>(event: Event): Event;
  notice(level: 'info' | 'warning' | 'critical', code: string, message: string): void;
}

/** An agent usually ends right after its last message; the result then includes it. */
const RESULT_SOON_MS = 100;

export function createAttemptLog(options: {
  redactor: Redactor;
  spool: AttemptSpool;
  onKept(event: RunnerEvent): void;
  /** Something is to be sent. */
  onAdded(): void;
  onDiskFull(): void;
}): AttemptLog {
  const { redactor, spool } = options;
  let isDiskFull = false;

  function add<Event extends RunnerEvent>(event: Event): Event {
    // Removes secrets from texts and keeps the shape.
    const kept = redactor.value(event) as Event;
    spool.append(kept);
    options.onKept(kept);
    if (isAmongTheLast(event)) setTimeout(options.onAdded, RESULT_SOON_MS).unref();
    else options.onAdded();
    if (spool.isDiskFull && !isDiskFull) {
      isDiskFull = true;
      options.onDiskFull();
    }
    return kept;
  }

  return {
    add,
    notice: (level, code, message) => void add({ kind: 'notice', level, code, message }),
  };
}

function isAmongTheLast(event: RunnerEvent): boolean {
  if (event.kind === 'checkpoint') return event.trigger === 'session_end';
  return event.kind === 'result' || (event.kind === 'process' && event.phase === 'exited');
}
