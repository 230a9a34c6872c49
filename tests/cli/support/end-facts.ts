/** The facts a settle step would hand to the classification. */
import type { AttemptEndFacts } from '@/lib/agents/attempt-end';
import type { StartSpec } from '@/lib/protocol/spec';
import type { CliRun } from './run-cli';

export function endFacts(
  start: StartSpec,
  run: CliRun,
  changes: Partial<AttemptEndFacts> = {},
): AttemptEndFacts {
  return {
    start,
    runner: 'test',
    startError: null,
    exit: run.exit,
    stopCause: null,
    stderrTail: run.stderr,
    transcriptSeen: true,
    init: run.init,
    results: run.results,
    hasValidReport: run.results.at(-1)?.structuredOutput != null,
    isReportRequired: true,
    rateLimitResetsAt: null,
    rateLimitRetries: run.events.filter(
      (event) => event.kind === 'api_retry' && event.status === 429,
    ).length,
    endedAt: new Date(),
    ...changes,
  };
}
