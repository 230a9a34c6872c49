import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { formatDuration } from '@/lib/platform/format/duration';
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
