import { TriangleAlert } from 'lucide-react';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import type { RunnerDto } from '@/lib/fleet/schema';

interface RunnerProblemsProps {
  /** Names each runner and leads to it; left out on its own page. */
  orgSlug?: string;
  runners: readonly RunnerDto[];
}

/** What is wrong with which runner, and what to check on its host. Nothing when all is well. */
export function RunnerProblems({ orgSlug, runners }: RunnerProblemsProps) {
  const found = runners.flatMap(({ id, name, problems }) =>
    problems.map((problem) => ({ id, name, ...problem })),
  );
  if (found.length === 0) return null;
  return (
    <Card title="Warnings">
      <ul className="flex flex-col gap-3">
        {found.map(({ id, name, code, message }) => (
          <li key={`${id}-${code}`} className="flex items-start gap-2">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-wait-fg" />
            <span className="max-w-prose text-ui">
              {orgSlug ? (
                <>
                  <Link href={`/${orgSlug}/runners/${id}`} className="font-medium underline">
                    {name}
                  </Link>
                  {' · '}
                </>
              ) : null}
              {message}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
