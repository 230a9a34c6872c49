import { Time } from '@/app/_components/status/time';
import { cn } from '@/app/_components/ui/cn';
import { CodeBlock } from '@/app/_components/ui/code-block';
import type { DeliveryDto } from '@/lib/deliveries/outbox/schema';
import { formatDuration } from '@/lib/platform/format/duration';
import { attemptResult } from './delivery-words';
import { Headers } from './request-view';

type Attempt = DeliveryDto['log'][number];

/** Newest first, the newest with its answer open. */
export function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return null;
  const newest = attempts.at(-1)?.number;
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium text-ui">
        Attempts <span className="text-text-3 tabular-nums">{attempts.length}</span>
      </h3>
      <ol reversed className="border-line border-y">
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.number} className="border-line border-t first:border-t-0">
            <details open={attempt.number === newest}>
              <summary className="flex min-h-row cursor-pointer flex-wrap items-center gap-x-3 text-ui tabular-nums -outline-offset-2 hover:bg-hover">
                <span className="text-text-3">{attempt.number}</span>
                <span className={cn('font-medium', !isSuccess(attempt) && 'text-bad-fg')}>
                  {attemptResult(attempt)}
                </span>
                <span className="text-text-2">{formatDuration(attempt.durationMs)}</span>
                <span className="ml-auto text-meta text-text-3">
                  <Time at={attempt.at} isPlain />
                </span>
              </summary>
              <div className="pb-3">
                <Answer attempt={attempt} />
              </div>
            </details>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Answer({ attempt }: { attempt: Attempt }) {
  const { error, responseExcerpt, responseHeaders } = attempt;
  if (error)
    return <p className="text-text-2 text-ui">{responseExcerpt || attemptResult(attempt)}</p>;
  return (
    <div className="flex flex-col gap-2">
      {responseHeaders ? (
        <Headers
          first={`HTTP ${attempt.status}`}
          headers={responseHeaders}
          label="headers of the answer"
        />
      ) : null}
      {responseExcerpt === '' ? (
        <p className="text-text-2 text-ui">An empty answer.</p>
      ) : (
        <CodeBlock label="answer" value={responseExcerpt} className="[&_pre]:max-h-60">
          {responseExcerpt}
        </CodeBlock>
      )}
    </div>
  );
}

function isSuccess({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}
