import type { Redactor } from '@/lib/redaction/redactor';
import type { RunnerEvent } from '@/lib/runner-protocol/events';
import type { AttemptSpool } from '../spool/attempt-spool';

/** The one way by which events of an attempt leave it: redacted, on disk, then announced. */
export interface AttemptLog {
  add(event: RunnerEvent): void;
  notice(level: 'info' | 'warning' | 'critical', code: string, message: string): void;
}

/** After its last words an agent ends, as a rule at once; the result takes them along. */
const RESULT_SOON_MS = 100;

export function createAttemptLog(options: {
  redactor: Redactor;
  spool: AttemptSpool;
  onAdded(): void;
  onDiskFull(): void;
}): AttemptLog {
  const { redactor, spool } = options;
  let isDiskFull = false;

  function add(event: RunnerEvent): void {
    spool.append(redactor.value(event));
    if (isAmongTheLast(event)) setTimeout(options.onAdded, RESULT_SOON_MS).unref();
    else options.onAdded();
    if (!spool.isDiskFull || isDiskFull) return;
    isDiskFull = true;
    options.onDiskFull();
  }

  return { add, notice: (level, code, message) => add({ kind: 'notice', level, code, message }) };
}

function isAmongTheLast(event: RunnerEvent): boolean {
  return event.kind === 'result' || (event.kind === 'process' && event.phase === 'exited');
}
