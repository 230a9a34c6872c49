import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { formatCounted } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import type { SystemFacts } from '@/lib/platform/system-facts';
import type { ProblemDto } from '@/lib/watchdog/get-health';

/** Shows the problems of the installation, open ones first. @param problems null: they can’t be read */
export function ProblemsCard({ problems }: { problems: readonly ProblemDto[] | null }) {
  if (problems === null) {
    return (
      <Card title="Problems">
        <p className="text-text-2">Unknown: the database is down.</p>
      </Card>
    );
  }
  const open = problems.filter(({ until }) => until === null);
  return (
    <Card title="Problems" note={open.length > 0 ? `${open.length} open` : undefined}>
      {problems.length === 0 ? (
        <p className="text-text-2">None in the last 7 days.</p>
      ) : (
        <ul className="flex flex-col gap-3 text-ui">
          {problems.map((problem) => (
            <li key={`${problem.title} ${problem.since.toISOString()}`}>
              <Problem problem={problem} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Problem({ problem }: { problem: ProblemDto }) {
  const { title, sentence, advice, since, until } = problem;
  if (until !== null) {
    return (
      <p className="text-text-2">
        {title}: resolved after {formatDuration(until.getTime() - since.getTime())},{' '}
        <Time at={until.toISOString()} />
      </p>
    );
  }
  return (
    <>
      <p>
        <span className="text-bad-fg">{title}</span>, since <Time at={since.toISOString()} />
      </p>
      <p className="text-text-2">
        {sentence} {advice}
      </p>
    </>
  );
}

/** A recurring job this late hasn't been started by any worker; the slowest beat is 10 s. */
const LATE_MS = 60_000;

export type Sweep = SystemFacts['sweeps'][number];

/** Returns whether nobody started a recurring job that was due. */
export function isLate({ dueAt }: Sweep, now: Date): boolean {
  return dueAt !== null && now.getTime() - dueAt.getTime() > LATE_MS;
}

/** Returns what is wrong with the installation, the cause before its effects; else that all is well. */
export function systemSentence(
  facts: Pick<SystemFacts, 'database' | 'queue' | 'worker' | 'leaseClock' | 'sweeps'>,
  now: Date,
  openProblems = 0,
): string {
  if (!facts.database.isUp) return 'The database is down. Nothing runs until it is back.';
  if (!facts.queue.isUp) {
    return 'The queue is down. Running sessions continue, but nothing new starts.';
  }
  if (!facts.worker.isUp) {
    return 'No worker is running. Due chains don’t start, and ended sessions aren’t settled.';
  }
  if (!facts.leaseClock.isUp) {
    return 'The lease clock is down: no web process has recorded lately that the runner API answers. Attempts of lost runners don’t end.';
  }
  const late = facts.sweeps.filter((sweep) => isLate(sweep, now));
  if (late.length > 0) {
    return `The worker is running, but ${late.map(({ name }) => name).join(', ')} ${late.length === 1 ? 'is' : 'are'} late.`;
  }
  const allUp = 'The database, the queue, the worker and the lease clock are up';
  if (openProblems === 0) return `${allUp}.`;
  return `${allUp}, but ${formatCounted(openProblems, 'problem')} ${openProblems === 1 ? 'is' : 'are'} open.`;
}
